import { EventEmitter } from 'node:events'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ReplayReport } from '../../shared/api/replay.ts'
import { runProgram } from '../../electron/cli/program.ts'
import { runHere, runWith } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'
import { claudeLines, writeLines } from '../helpers/transcripts/write-claude-code.ts'
import type { Script } from '../helpers/transcripts/script.ts'
import { codexLines } from '../helpers/transcripts/write-others.ts'

const log = Array.from({ length: 500 }, (_, at) => `step ${at}: unit-${at * 7}x of the private plan`).join(
  '\n',
)

const script = (session: string, tool: string, model: string): Script => ({
  session,
  model,
  project: '/work/shop',
  steps: [
    { prompt: 'Which unit of the plan is the slowest of all of them?' },
    {
      request: { input: 10, write: 5_000, output: 50 },
      calls: [{ id: `${session}-a`, tool, input: { command: 'plan' } }],
    },
    { result: `${session}-a`, text: log },
    { request: { input: 10, read: 5_000, write: 8_000, output: 70 }, answer: 'It is unit-2471x.' },
  ],
})

function home(): string {
  const folder = temporaryFolder()
  const claude = claudeLines(script('s1', 'Bash', 'claude-opus-5-5'))
  writeLines(join(folder, '.claude/projects/-work-shop/s1.jsonl'), claude)
  // A session that continues another begins with its lines.
  writeLines(join(folder, '.claude/projects/-work-shop/s2.jsonl'), claude)
  writeLines(
    join(folder, '.codex/sessions/2026/11/20/rollout-1.jsonl'),
    codexLines(script('s3', 'shell', 'a-new-model')),
  )
  writeLines(join(folder, '.claude/projects/-work-shop/s4.jsonl'), [{ type: 'user', version: '9.1.0' }])
  return folder
}

test('sluice replay reports sums, what was not read, and no text of a session', async () => {
  const folder = home()
  const dataDir = join(folder, 'data')
  const file = join(folder, 'report.md')
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' }
  const args = ['--data-dir', dataDir, 'replay', '--report', file]
  const { code, stdout, stderr } = await runHere(args, { env })
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Wrote ${file}`) as string,
  })
  expect(stdout).toContain('2 sessions in 4 files, 4 requests. List price of all of it: $0.07.')
  expect(stdout).toContain('No price is known for a-new-model (2 requests)')
  expect(stdout).toMatch(/s4\.jsonl: Claude Code 9\.1\.0 wrote it/)
  expect(stdout).toMatch(/Sluice +2 +2 /)
  const markdown = readFileSync(file, 'utf8')
  expect(markdown).toContain('| Claude Code | 1 | 1 |')
  expect(markdown).toMatch(/^\| floor \| [\d.]+ % \| \$0\.\d\d \|$/m)
  for (const text of [stdout, markdown]) expect(text).not.toMatch(/unit-\d|private plan|slowest/)
  expect(existsSync(dataDir)).toBe(false)
  expect(readdirSync(folder).toSorted()).toEqual(['.claude', '.codex', 'report.md'])

  const json = await runHere(['--data-dir', dataDir, 'replay', '--json', '--app', 'codex'], { env })
  const report = ReplayReport.parse(JSON.parse(json.stdout))
  expect(report).toMatchObject({
    files: 1,
    requests: 2,
    cost: { money: 0 },
    byTool: [{ key: 'shell', results: 1 }],
  })
})

test('sluice replay refuses an app that it can’t read', async () => {
  const { code, stderr } = await runHere(['replay', '--app', 'emacs'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('Sessions of "emacs" can\'t be read. These can: claude-code, codex')
})

test('sluice replay refuses a report that it can’t write before it reads sessions', async () => {
  const folder = home()
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' }
  for (const file of [folder, join(folder, 'missing', 'report.md')]) {
    const { code, stdout, stderr } = await runHere(['replay', '--report', file], { env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(`sluice: ${file} can't be written. Name another file.\n`)
  }
})

test('sluice replay says that no session was counted, in place of tables of zeros', async () => {
  const folder = home()
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' }
  const { code, stdout } = await runHere(['replay', '--project', 'elsewhere', '--app', 'codex'], { env })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'No session in 1 file was counted. If you gave --project, check its text.\n',
  })
  const one = await runHere(['replay', '--app', 'codex'], { env })
  expect(one.stdout).toContain('1 session in 1 file, 2 requests.')
})

test('a faulty prices.json is named with its place, by sluice doctor, too, and the shipped prices are used', async () => {
  const folder = home()
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'prices.json'), '{ "prices": { "mine": { "inputPerMillion": -1 } } }')
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' }
  const said =
    /data\/prices\.json:1:44 prices\.mine\.inputPerMillion: .* Correct it, or move the file away\. Until then the prices that come with Sluice are used/
  const { code, stdout } = await runHere(['--data-dir', dataDir, 'replay'], { env })
  expect(code).toBe(0)
  expect(stdout).toMatch(said)
  expect(stdout).toContain('List price of all of it: $0.07.')
  const doctor = await runHere(['--data-dir', dataDir, 'doctor', '--offline', '--json'], { env })
  const findings = JSON.parse(doctor.stdout) as { status: string; subject: string; message: string }[]
  expect(findings.find(({ subject }) => subject === 'prices')).toMatchObject({
    status: 'problem',
    message: expect.stringMatching(said) as string,
  })
})

test('Ctrl-C ends it with 130, says so, and leaves no bar', async () => {
  const folder = home()
  const signals = new EventEmitter()
  signals.on('newListener', (name) => {
    if (name === 'SIGINT') queueMicrotask(() => signals.emit('SIGINT'))
  })
  const { code, stdout, stderr } = await runWith(
    (context) => {
      const terminal = Object.assign(context.stderr, { isTTY: true })
      return runProgram(['replay'], { ...context, stderr: terminal, signals })
    },
    { env: { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' } },
  )
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
  expect(stderr.endsWith('\r\u001B[2KStopped. Nothing was written.\n')).toBe(true)
})

test('sluice replay counts days from 1, and writes JSON only to a file of that name', async () => {
  const folder = home()
  const env = { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '' }
  expect((await runHere(['replay', '--days', '0'], { env })).code).toBe(2)
  const reportIn = async (name: string): Promise<string> => {
    const file = join(folder, name)
    await runHere(['replay', '--app', 'codex', '--report', file], { env })
    return readFileSync(file, 'utf8')
  }
  expect(await reportIn('report.txt')).toMatch(/^#/)
  expect(JSON.parse(await reportIn('report.json'))).toMatchObject({ files: 1 })
})
