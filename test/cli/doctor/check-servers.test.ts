import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkServers } from '../../../electron/cli/doctor/check-servers.ts'
import type { Finding } from '../../../electron/cli/doctor/finding.ts'
import { parseSettings } from '../../../electron/engine/settings/parse-settings.ts'
import { clientHome } from '../../helpers/client-home.ts'
import { isRunning } from '../../helpers/processes.ts'
import { runWith } from '../../helpers/run-here.ts'
import { startCli } from '../../helpers/run-cli.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { testServer } from '../../helpers/upstream.ts'
import { waitFor } from '../../helpers/wait-for.ts'

test.skipIf(process.platform === 'win32')(
  'Ctrl-C leaves no server that ignores the end of its input',
  async () => {
    const dataDir = temporaryFolder()
    const noted = join(dataDir, 'pid')
    const stubborn = `require('fs').writeFileSync(${JSON.stringify(noted)}, String(process.pid)); setInterval(() => {}, 1000)`
    const servers = { stubborn: { command: process.execPath, args: ['-e', stubborn] } }
    writeFileSync(join(dataDir, 'config.json'), JSON.stringify({ http: { port: 0 }, servers }))
    const child = startCli(['doctor', '--data-dir', dataDir])
    const ended = new Promise((done) => child.on('close', done))
    await waitFor(() => expect(readFileSync(noted, 'utf8')).toMatch(/^\d+$/))
    child.kill('SIGINT')
    await ended
    const pid = Number(readFileSync(noted, 'utf8'))
    await waitFor(() => expect(isRunning(pid)).toBe(false))
  },
)

const looked = async (
  servers: Record<string, object>,
  offInApps: readonly string[] = [],
  { offline = true } = {},
) => {
  const { settings } = parseSettings(JSON.stringify({ servers }))
  if (!settings) throw new Error('The settings have mistakes.')
  const findings: Finding[] = []
  await runWith(
    async (context) => {
      const found = await checkServers(
        settings,
        offline,
        context,
        { get: () => Promise.resolve(undefined) },
        { off: new Set(offInApps), given: new Map() },
      )
      findings.push(...found)
      return 0
    },
    { env: { TOKEN: 'hunter2hunter2' } },
  )
  return findings.map(({ status, subject, message }) => `${status} ${subject}: ${message}`)
}
const fine = { command: process.execPath, args: ['server.js'] }

test('what a server says on its way down shows no secret of its settings', async () => {
  const args = ['-e', "console.error('refused: ' + process.env.KEY); process.exit(3)"]
  const servers = { a: { command: process.execPath, args, env: { KEY: '${env:TOKEN}' } } }
  const offer = join(temporaryFolder(), 'offer.json')
  const message = 'refused: hunter2hunter2 and k3y-in-plain-text'
  writeFileSync(offer, JSON.stringify({ fails: { 'tools/list': { code: -32603, message } } }))
  const found = await looked(
    {
      ...servers,
      b: { ...testServer('changeable', offer), env: { KEY: '${env:TOKEN}', API_KEY: 'k3y-in-plain-text' } },
    },
    [],
    { offline: false },
  )
  expect(found).toEqual([
    expect.stringMatching(/^problem server a: .*refused: /),
    expect.stringMatching(/^problem server b: .*refused: /),
  ])
  expect(found.join()).not.toMatch(/hunter2hunter2|k3y-in-plain-text/)
})

test('a server that is off in every app is not looked at', async () => {
  const found = await looked({ a: fine, b: fine, c: { ...fine, disabled: true } }, ['b'])
  expect(found).toEqual([
    'ok server a: Its settings are right; it was not started (--offline).',
    'ok servers: 2 disabled, not looked at.',
  ])
})

test('a server that starts Sluice is told apart from one with an argument of that name', async () => {
  const [own] = await looked({ own: { command: 'sluice', args: ['connect'] } })
  expect(own).toContain('It starts Sluice itself')
  const [other] = await looked({ other: { ...fine, args: ['connect'] } })
  expect(other).toMatch(/^ok /)
})

test('only an absolute folder that is missing is a problem: another one is relative to the app’s', async () => {
  const missing = join(temporaryFolder(), 'missing')
  expect(await looked({ a: { ...fine, cwd: missing } })).toEqual([
    `problem server a: Its "cwd", ${missing}, is not a folder. Correct it in config.json.`,
  ])
  expect((await looked({ a: { ...fine, cwd: 'relative' } }))[0]).toMatch(/^ok /)
})

test('a server whose variable only its app knows is no fault: the app puts it in when it starts the entry', async () => {
  const { put, run, dataDir } = clientHome()
  put('.cursor/mcp.json', JSON.stringify({ mcpServers: { asks: testServer('paged', '${workspaceFolder}') } }))
  expect(await run('wrap', 'cursor', '--yes')).toMatchObject({ code: 0, stderr: '' })
  const doctor = async (): Promise<{ code: number | null; finding: Finding | undefined }> => {
    const { code, stdout } = await run('doctor', '--json')
    const findings = JSON.parse(stdout) as Finding[]
    return { code, finding: findings.find(({ subject }) => subject === 'server asks') }
  }
  const message = expect.stringMatching(
    /^It was not started: Cursor gives it (SLUICE_ARG_\d) \(argument \d\) when it starts it, and only Cursor knows the value\.$/,
  ) as unknown
  expect(await doctor()).toEqual({ code: 0, finding: { status: 'ok', subject: 'server asks', message } })

  // Another variable, which the entry doesn't pass on, is still missing.
  const path = join(dataDir, 'config.json')
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(/\$\{env:SLUICE_ARG_\d\}/, '${env:NO_SUCH_VARIABLE}'),
  )
  const { code, finding } = await doctor()
  expect(code).toBe(1)
  expect(finding).toMatchObject({ status: 'problem' })
  expect(finding?.message).toContain('NO_SUCH_VARIABLE, which is not set')
})
