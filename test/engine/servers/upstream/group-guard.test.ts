import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import { createGroupGuard } from '../../../../electron/engine/servers/upstream/group-guard.ts'
import { isRunning } from '../../../helpers/processes.ts'
import { processesWith } from '../../../helpers/process-tree.ts'
import { waitFor } from '../../../helpers/wait-for.ts'

/** A process in its own group that only SIGKILL ends. */
async function startStubborn(): Promise<number> {
  const code = "process.on('SIGTERM', () => {}); setInterval(() => {}, 60000); console.log('ready')"
  const child = spawn(process.execPath, ['-e', code], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  await once(child.stdout, 'data')
  const pid = child.pid ?? -1
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(-pid, 'SIGKILL')
  })
  return pid
}

test.skipIf(process.platform === 'win32')(
  'ends the groups it knows when its owner is killed, and no others',
  async () => {
    const [first, second, removed, stranger] = await Promise.all([
      startStubborn(),
      startStubborn(),
      startStubborn(),
      startStubborn(),
    ])
    const owner = spawn(
      process.execPath,
      [
        resolve(import.meta.dirname, '../../../fixtures/upstream/guard-owner.ts'),
        ...[first, removed, second].map(String),
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    )
    await once(owner.stdout, 'data')
    owner.stdin.write(`${removed}\n`)
    await once(owner.stdout, 'data')
    owner.kill('SIGKILL')
    await waitFor(() => expect([first, second].filter(isRunning)).toEqual([]), 100)
    expect([removed, stranger].filter(isRunning)).toEqual([removed, stranger])
  },
)

test.skipIf(process.platform !== 'linux').each([
  ['whose start was told', 'sudden-end'],
  ['whose start its owner did not survive', 'killed-while-starting'],
])(
  'ends a server that was only just being started when its owner was killed: one %s',
  async (_what, owners) => {
    const name = `sluice-${owners}-${process.pid}`
    onTestFinished(() => processesWith(name).forEach((pid) => process.kill(pid, 'SIGKILL')))
    const immortal = "process.on('SIGTERM', () => {}); setInterval(() => {}, 60000)"
    const owner = spawn(process.execPath, [
      resolve(import.meta.dirname, `../../../fixtures/upstream/${owners}.ts`),
      process.execPath,
      '-e',
      immortal,
      `${name}\nin two lines  `,
    ])
    expect(await once(owner, 'exit')).toEqual([null, 'SIGKILL'])
    await waitFor(() => expect(processesWith(name)).toEqual([]), 100)
  },
)

test('where there are no process groups it does nothing', () => {
  const guard = createGroupGuard({ platform: 'win32', logger: silentLogger })
  guard.add(1)
  guard.remove(1)
  guard.close()
})
