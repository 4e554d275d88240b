import { expect, test } from 'vitest'
import { createBuiltInScan } from '../../../electron/engine/guardrails/built-in-scan.ts'
import { ATTACK } from '../../helpers/guard.ts'
import { waitFor } from '../../helpers/wait-for.ts'

test('whatever waits for the detectors runs in its order, later things at once', async () => {
  const builtIn = createBuiltInScan()
  expect(() => builtIn.scanNow([{ path: '', text: 'x' }])).toThrow(/could not be loaded/)
  const ran: number[] = []
  builtIn.whenLoaded(() => {
    ran.push(1)
    // New work does not overtake waiting work.
    builtIn.whenLoaded(() => ran.push(3))
  })
  builtIn.whenLoaded(() => ran.push(2))
  expect(ran).toEqual([])
  await waitFor(() => expect(ran).toEqual([1, 2, 3]))
  builtIn.whenLoaded(() => ran.push(4))
  expect(ran).toEqual([1, 2, 3, 4])
  const texts = [{ path: '/a', text: ATTACK }]
  expect(builtIn.scanNow(texts)[0]).toMatchObject({ path: '/a', detector: 'orders' })
  expect(await builtIn.scan(texts)).toEqual(builtIn.scanNow(texts))
})

test('a short text is found again each time, at its own place; one that is harmless stays so', async () => {
  const builtIn = createBuiltInScan()
  // Eight invisible characters.
  const hidden = `a${'\u200b'.repeat(8)}b`
  const texts = (path: string) => [
    { path: `${path}/harmless`, text: 'text' },
    { path: `${path}/hidden`, text: hidden },
  ]
  const first = await builtIn.scan(texts('/1'))
  expect(first.map(({ path }) => path)).toEqual(expect.arrayContaining(['/1/hidden']))
  expect(first.some(({ path }) => path === '/1/harmless')).toBe(false)
  expect(builtIn.scanNow(texts('/2'))).toEqual(first.map((finding) => ({ ...finding, path: '/2/hidden' })))
})
