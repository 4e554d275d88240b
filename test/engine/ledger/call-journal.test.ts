import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { bookLeftCalls, openJournal } from '../../../electron/engine/ledger/call-journal.ts'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const started = (id: string) => ({ id, at: 5, client: 'c', session: 's', server: 'one', tool: 'echo' })
const ended = (id: string): CallRow => ({
  ...started(id),
  outcome: 'ok',
  tokensBefore: 7,
  tokensAfter: 3,
  tokensAdded: 0,
  strategy: 'log',
  resultId: 'r_1',
  ms: 2,
  cached: false,
  note: undefined,
})
const logger = silentLogger
/** The process id of an ended process. */
const deadPid = spawnSync(process.execPath, ['--version']).pid

async function booked(folder: string): Promise<CallRow[]> {
  const rows: CallRow[] = []
  const book = (left: readonly CallRow[]) => Promise.resolve(void rows.push(...left))
  await bookLeftCalls({ folder, isRunning: (pid) => pid !== deadPid, book, logger })
  return rows
}

test('calls that begin in one turn are written at its end, into a file that only the user may read', async () => {
  const folder = join(temporaryFolder(), 'under-way')
  const journal = openJournal({ folder, logger })
  journal.begin(started('a'))
  journal.begin(started('b'))
  await setImmediate()
  const [name = ''] = readdirSync(folder)
  const path = join(folder, name)
  expect(
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as CallRow).id),
  ).toEqual(['a', 'b'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  journal.close()
  expect(readdirSync(folder)).toEqual([])
})

test('what an engine that ended left behind is booked once; what runs, and what a crash cut off, is left alone', async () => {
  const folder = temporaryFolder()
  const running = openJournal({ folder, logger })
  running.begin(started('running'))
  await setImmediate()
  const left = join(folder, `${deadPid}-00ff.jsonl`)
  writeFileSync(
    left,
    [started('a'), started('b'), ended('b')].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  appendFileSync(left, '{"id":"c","at"')
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  expect(await booked(folder)).toEqual([
    expect.objectContaining({
      ...started('a'),
      outcome: 'error',
      note: expect.stringContaining('may have carried the call out') as string,
    }),
    ended('b'),
  ])
  expect(await booked(folder)).toEqual([])
  expect(readdirSync(folder)).toHaveLength(2)
  running.close()
})

test('rows that could not be written stay for the next engine', async () => {
  const folder = temporaryFolder()
  const journal = openJournal({ folder, logger })
  journal.begin(started('a'))
  journal.begin(started('b'))
  journal.booked([{ id: 'b' }])
  journal.keep([ended('a')])
  journal.close()
  expect((await booked(folder)).find(({ id }) => id === 'a')).toEqual(ended('a'))
})

test('a file that has grown keeps the calls that are under way alone', async () => {
  const folder = temporaryFolder()
  const journal = openJournal({ folder, logger })
  journal.begin(started('long'))
  for (let n = 0; n < 6_000; n++) {
    journal.begin(started(`short-${n}`))
    if (n % 100 === 0) await setImmediate()
    journal.booked([{ id: `short-${n}` }])
  }
  await setImmediate()
  journal.begin(started('last'))
  await setImmediate()
  const [name = ''] = readdirSync(folder)
  const text = readFileSync(join(folder, name), 'utf8')
  expect(text.length).toBeLessThan(400_000)
  expect(text).toContain('"long"')
  expect(text).toContain('"last"')
  journal.close()
})

test('a folder that can not be made stops no call', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const journal = openJournal({ folder: file, logger })
  journal.begin(started('a'))
  await setImmediate()
  journal.begin(started('b'))
  await setImmediate()
  journal.close()
})
