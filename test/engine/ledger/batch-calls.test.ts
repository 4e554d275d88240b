import { expect, test, vi } from 'vitest'
import { batchCalls } from '../../../electron/engine/ledger/batch-calls.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const row = (id: string): CallRow => ({
  id,
  at: 1,
  client: 'c',
  session: 's',
  server: 'one',
  tool: 'echo',
  outcome: 'ok',
  tokensBefore: 1,
  tokensAfter: 1,
  tokensAdded: 0,
  strategy: undefined,
  resultId: undefined,
  ms: 1,
  cached: false,
  note: undefined,
})

test('rows that come close together are written together, in their order', async () => {
  const write = vi.fn<(rows: readonly CallRow[]) => Promise<void>>().mockResolvedValue()
  const batch = batchCalls({ write, logger: silentLogger })
  for (const id of ['a', 'b', 'c']) batch.add(row(id))
  expect(write).not.toHaveBeenCalled()
  await waitFor(() => expect(write).toHaveBeenCalledOnce())
  expect(write.mock.calls[0]?.[0].map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

test('what waits at the end is written, and an empty batch writes nothing', () => {
  const write = vi.fn().mockResolvedValue(undefined)
  const batch = batchCalls({ write, logger: silentLogger })
  batch.flush()
  batch.add(row('a'))
  batch.flush()
  batch.flush()
  expect(write).toHaveBeenCalledOnce()
})

test('very many rows do not wait', () => {
  const write = vi.fn().mockResolvedValue(undefined)
  const batch = batchCalls({ write, logger: silentLogger })
  for (let n = 0; n < 500; n++) batch.add(row(String(n)))
  expect(write).toHaveBeenCalledOnce()
})

test('a ledger that fails is logged; the next batch is written', async () => {
  const error = vi.fn()
  const write = vi.fn().mockResolvedValue(undefined).mockRejectedValueOnce(new Error('disk full'))
  const batch = batchCalls({ write, logger: { ...silentLogger, error } })
  batch.add(row('a'))
  batch.flush()
  await expect.poll(() => error.mock.calls).toHaveLength(1)
  expect(error).toHaveBeenCalledWith(expect.stringContaining('ledger'), { calls: 1, cause: 'disk full' })
  batch.add(row('b'))
  batch.flush()
  expect(write).toHaveBeenCalledTimes(2)
})
