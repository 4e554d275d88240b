import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../fixtures/hold-lock.ts', import.meta.url))

/** Another process that holds the write lock of these databases; `release` resolves when it has let go of it. */
export async function holdLock(...paths: readonly string[]): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, [program, ...paths], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const release = async (): Promise<void> => {
    child.stdin.end()
    await ended
  }
  onTestFinished(release)
  await once(child.stdout, 'data')
  return { release }
}
