import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { memorySettings } from './give-memory-back.ts'
import { HANDED_OVER } from './handed-over.ts'
import type { ForwardedSignal } from './handed-over.ts'

export const NEEDED_NODE_MAJOR = 24
const EXIT_TOO_OLD = 4

export interface HandOverOptions {
  /** For example "20.20.2". */
  version: string
  execPath: string
  argv: readonly string[]
  /** The entry's URL: where the `node` package is resolved. */
  from: string
  findNode?: (from: string) => string | undefined
}

export const isNodeNewEnough = (version: string): boolean =>
  Number(version.split('.')[0]) >= NEEDED_NODE_MAJOR

/** With the Node that npm installed; resolves with the exit code. Undefined if this Node is new enough. */
export function handOver(options: HandOverOptions): Promise<number> | undefined {
  const { version, execPath, argv, from, findNode = findInstalledNode } = options
  if (isNodeNewEnough(version)) return undefined
  const node = findNode(from)
  if (node === undefined || node === execPath) {
    process.stderr.write(
      `Sluice needs Node ${NEEDED_NODE_MAJOR} or newer, but this is Node ${version} (${execPath}). ` +
        'Install a newer Node, or run `npm ci` in its folder without --ignore-scripts: that brings one along.\n',
    )
    return Promise.resolve(EXIT_TOO_OLD)
  }
  return runOn(node, argv)
}

/** From npm's `node`; missing if installed without its install script. */
function findInstalledNode(from: string): string | undefined {
  try {
    const load = createRequire(from)
    // An import would load it where no older Node starts, too.
    const { existsSync } = load('node:fs') as { existsSync: (path: string) => boolean }
    const folder = dirname(load.resolve('node/package.json'))
    return ['node', 'node.exe'].map((name) => join(folder, 'bin', name)).find((path) => existsSync(path))
  } catch {
    return undefined
  }
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

/**
 * Through a channel, because a group signal also reaches the child directly and must not count twice. Its end tells
 * the child that this process is gone.
 */
async function runOn(node: string, argv: readonly string[]): Promise<number> {
  const { spawn } = await import('node:child_process')
  const child = spawn(node, argv, {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // The child can't restart itself for these: the channel would be lost.
    env: { ...(memorySettings(argv.slice(1), process) ?? process.env), [HANDED_OVER]: '1' },
  })
  const forwards = FORWARDED.map((signal) => {
    const forward = () => {
      const message: ForwardedSignal = { signal }
      if (child.connected) child.send(message, () => {})
    }
    process.on(signal, forward)
    return { signal, forward }
  })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`Sluice could not start ${node}: ${error.message}\n`)
      resolve(EXIT_TOO_OLD)
    })
    child.on('exit', (code, signal) => {
      for (const { signal: name, forward } of forwards) process.off(name, forward)
      if (signal !== null) process.kill(process.pid, signal)
      resolve(code ?? 1)
    })
  })
}
