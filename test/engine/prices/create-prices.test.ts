import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createPrices } from '../../../electron/engine/prices/create-prices.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const open = () => {
  const dataDir = temporaryFolder()
  const warnings: string[] = []
  const now = () => Date.parse('2026-11-25T12:00:00Z')
  const logger = { warn: (message: string) => void warnings.push(message) }
  return { path: join(dataDir, 'prices.json'), prices: createPrices({ dataDir, now, logger }), warnings }
}

it('keeps what the user sets, with its day, and forgets it again', () => {
  const { path, prices } = open()
  prices.set('gpt-5.5', { inputPerMillion: 4 })
  expect(prices.set('gpt-5.5', { inputPerMillion: 4, cache: { read: 0.2 } })).toMatchObject({
    date: '2026-11-25',
  })
  prices.set('gpt-5.5', { inputPerMillion: 4.5 })
  expect(prices.table().find('gpt-5.5')).toMatchObject({ inputPerMillion: 4.5, cache: { read: 0.2 } })
  prices.choose('gpt-5.5')
  expect(prices.list().chosen).toBe('gpt-5.5')
  prices.remove('gpt-5.5')
  expect(prices.table().find('gpt-5.5')).toMatchObject({ inputPerMillion: 5, isOwn: false })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ chosen: 'gpt-5.5', prices: {} })
  expect(() => prices.choose('nothing')).toThrow('There is no price for "nothing". Set one first.')
})

it('reads the file again when it was edited, and keeps fields of later versions', () => {
  const { path, prices } = open()
  expect(prices.table().find('mine')).toBeUndefined()
  const entry = { inputPerMillion: 3, date: '2026-10-01' }
  writeFileSync(path, JSON.stringify({ later: 1, prices: { mine: entry } }))
  expect(prices.table().find('mine')?.inputPerMillion).toBe(3)
  prices.set('other', { inputPerMillion: 1 })
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ later: 1, prices: { mine: entry } })
})

it('changes nothing in a file that it cannot read', () => {
  const { path, prices, warnings } = open()
  writeFileSync(path, '{ "prices": { "mine": { "inputPerMillion": 3, } } }')
  expect(prices.list().prices.length).toBeGreaterThan(10)
  expect(prices.table().find('mine')).toBeUndefined()
  expect(warnings).toHaveLength(1)
  const fault = `${path}:1:47: This isn't JSON (PropertyNameExpected). Correct it, or move the file away.`
  expect(prices.fault()).toContain(fault)
  expect(prices.list().fault).toBe(prices.fault())
  expect(() => prices.set('mine', { inputPerMillion: 4 })).toThrow(`The prices weren't changed. ${fault}`)
  expect(readFileSync(path, 'utf8')).toContain('3, }')
  writeFileSync(path, '{ "prices": {\n "mine": { "inputPerMillion": "3" } } }')
  expect(prices.fault()).toMatch(
    /prices\.json:2:31 prices\.mine\.inputPerMillion: .*expected number.* none of yours/,
  )
  expect(warnings).toHaveLength(1)
  expect(prices.table().find('mine')).toBeUndefined()
  expect(warnings).toHaveLength(2)
})
