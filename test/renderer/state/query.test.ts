import { expect, onTestFinished, test, vi } from 'vitest'
import { effectScope } from 'vue'
import { turns } from '../../helpers/turns.ts'

test('whoever waits for an answer that was overtaken has the newer one when the wait is over', async () => {
  vi.stubGlobal('location', new URL('http://127.0.0.1/'))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { useQuery } = await import('../../../renderer/state/query.ts')
  const answers: ((value: string) => void)[] = []
  const scope = effectScope()
  onTestFinished(() => scope.stop())
  const query = scope.run(() => useQuery(() => new Promise<string>((resolve) => answers.push(resolve))))
  if (!query) throw new Error('The scope did not run.')
  const seen: (string | undefined)[] = []
  const saved = query.reload().then(() => seen.push(query.data.value))
  const told = query.reload()
  // The first is the query's own.
  answers[1]?.('old')
  await turns()
  expect(seen).toEqual([])
  answers[2]?.('new')
  await Promise.all([saved, told])
  expect(seen).toEqual(['new'])
})
