import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunning } from '../../helpers/processes.ts'
import { startCli } from '../../helpers/run-cli.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
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
