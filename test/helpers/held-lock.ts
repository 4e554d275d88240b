import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const program = fileURLToPath(new URL('../fixtures/hold-lock.ts', import.meta.url))

/** In another process; `release` resolves once released. */
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
