import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../electron/engine/ground/logger.ts'
import { createLedger } from '../../electron/engine/ledger/ledger.ts'
import type { ValuedReport } from '../../electron/engine/ledger/value-report.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const now = Date.now()
const DAY = 86_400_000
const HOSTILE = '<script>alert(1)</script>|`x`\u001b[2J'

/** A week of several clients, servers, folders and days, with turns, fetches and a hold-out. */
async function weekOfCalls() {
  const dataDir = temporaryFolder()
  writeFileSync(join(dataDir, 'config.json'), JSON.stringify({ clients: { cursor: { model: 'gpt-5.5' } } }), {
    mode: 0o600,
  })
  const database = openDatabase({ path: join(dataDir, 'sluice.db'), logger: silentLogger, now: () => now })
  const ledger = createLedger({ database })
  const clients = ['claude-code', 'cursor', 'a chat']
  for (let index = 0; index < 60; index++) {
    const at = now - (index % 7) * DAY - index
    ledger.recordCall({
      id: `c${index}`,
      at,
      client: clients[index % 3] ?? '',
      session: `s${index % 3}`,
      server: index % 5 === 0 ? HOSTILE : `server${index % 4}`,
      tool: `tool_${index % 20}`,
      outcome: index % 11 === 0 ? 'error' : 'ok',
      tokensBefore: 5000 + 37 * index,
      tokensAfter: 900 + index,
      tokensAdded: index % 3 === 0 ? 12 : 0,
      strategy: 'json',
      resultId: `r${index}`,
      ms: 1,
      cached: false,
      note: undefined,
      trial: index % 4 === 0 ? 'held' : 'shortened',
    })
  }
  await ledger.recordSession({ session: 's0', at: now, client: 'claude-code', project: '/home/me/shop' })
  await ledger.recordSession({ session: 's1', at: now, client: 'cursor', project: '/home/me/work/site' })
  for (let turn = 8; turn > 0; turn--)
    await ledger.recordTurns([
      {
        session: 's0',
        client: 'claude-code',
        at: now - turn * DAY,
        model: 'claude-opus-5.5',
      },
    ])
  await ledger.recordFetch({ at: now, client: 'cursor', resultId: 'r1', tool: 'proxy_read', tokens: 777 })
  const addition = { at: now, client: 'a chat', session: 's2', server: undefined, what: 'tools' }
  await ledger.recordAddition({ ...addition, tokens: 963 })
  database.close()
  return dataDir
}

/** Tables of a Markdown text, without their heads; cells as plain text. */
const tablesOf = (text: string): string[][][] =>
  text
    .split('\n\n')
    .filter((part) => part.startsWith('| '))
    .map((part) =>
      part
        .split('\n')
        .slice(2)
        .map((line) =>
          line
            .slice(2, -2)
            .split(' | ')
            .map((cell) => cell.replaceAll('**', '')),
        ),
    )
const numberOf = (cell = ''): number => Number(cell.replaceAll(',', '').replace('−', '-').replace('$', ''))

describe('sluice report', () => {
  test('has the sums of stats to the token, in every table, and their parts add up', async () => {
    const dataDir = await weekOfCalls()
    const { code, stdout } = await runHere(['report', '--data-dir', dataDir])
    expect(code).toBe(0)
    const stats = await runHere(['stats', '--json', '--data-dir', dataDir])
    const { week } = JSON.parse(stats.stdout) as { week: ValuedReport }
    const { before, after, added, fetched, net, calls, worth } = week.totals
    expect(before - after - added - fetched).toBe(net)
    const [models, ...tables] = tablesOf(stdout)
    // By day, client, project, server, tool and the hold-out.
    expect(tables).toHaveLength(6)
    for (const rows of tables.slice(0, 5)) {
      const sum = rows.at(-1) ?? []
      expect(sum.slice(0, 7)).toEqual([
        'Sum',
        ...[calls, before, after, added, fetched, net].map((n) => n.toLocaleString('en-US')),
      ])
      for (let column = 1; column <= 6; column++)
        expect(rows.slice(0, -1).reduce((total, row) => total + numberOf(row[column]), 0)).toBe(
          numberOf(sum[column]),
        )
    }
    expect(models?.map(([model]) => model).toSorted()).toEqual(['Sum', 'claude-opus-5.5', 'gpt-5.5'])
    expect(numberOf(models?.at(-1)?.at(-1))).toBeCloseTo(worth.dollars, 2)
    expect(stdout).toContain(
      `${before.toLocaleString('en-US')} from servers − ${after.toLocaleString('en-US')} sent`,
    )
    expect(stdout).toContain('of the rest the model isn’t known')
    // Folders by their own names.
    expect(stdout).toContain('| shop |')
    expect(stdout).not.toContain('/home/me')
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('\\<script\\>alert(1)\\</script\\>\\|\\`x\\`?')
  })

  test('as a page has the same figures, no script and nothing from elsewhere', async () => {
    const dataDir = await weekOfCalls()
    const [html, markdown] = [join(dataDir, 'week.html'), join(dataDir, 'week.md')]
    const files = ['--html', html, '--markdown', markdown]
    const { code, stdout, stderr } = await runHere(['report', ...files, '--data-dir', dataDir])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain(`Wrote ${html}.`)
    const page = readFileSync(html, 'utf8')
    expect(page).not.toMatch(/<script|<link|<img|url\(|https?:|@import|\son\w+=/i)
    expect(page).toContain('&lt;script&gt;alert(1)')
    const figures = (text: string): string[] => text.match(/[−$]?\d[\d,.]*/g) ?? []
    const body = page.slice(page.indexOf('<main>')).replaceAll(/<[^>]+>/g, ' ')
    expect(figures(body)).toEqual(figures(readFileSync(markdown, 'utf8')))
  })

  test('of other days, and of days that are none', async () => {
    const dataDir = await weekOfCalls()
    const report = (...args: string[]) => runHere(['report', ...args, '--data-dir', dataDir])
    const empty = await report('--from', '2020-02-28', '--to', '2020-02-29')
    expect(empty.stdout).toMatch(/^# Sluice, 2020-02-28 to 2020-02-29\n\n## 0 tokens kept out, net\n/)
    expect((await report('--from', '2020-02-30')).stderr).toContain(`--from "2020-02-30" isn't a day`)
    expect((await report('--to', '2020-02-01')).stderr).toContain('--to needs --from')
    expect((await report('--from', '2020-02-03', '--to', '2020-02-01')).stderr).toContain('is before --from')
    const nowhere = await report('--html', join(dataDir, 'none', 'week.html'))
    expect(nowhere.code).not.toBe(0)
    expect(nowhere.stderr).toContain("can't be written. Name another file.")
  })
})
