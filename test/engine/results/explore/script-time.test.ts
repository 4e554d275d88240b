import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test.skipIf(process.platform === 'win32')(
  'a machine that stands still uses up no script’s time',
  async () => {
    const program = new URL('../../../fixtures/workers/script-and-stop.ts', import.meta.url)
    const child = spawn(process.execPath, [fileURLToPath(program)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('stopped')
    await wait(1_000)
    child.kill('SIGCONT')
    expect((await lines.next()).value).toContain('done')
  },
)
