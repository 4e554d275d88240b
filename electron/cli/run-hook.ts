import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openEngineSocket } from '../engine/clients/connector/engine-socket.ts'
import { findSocketAddress } from '../engine/clients/transports/socket-address.ts'
import type { CommonOptions, ConnectContext } from './cli-context.ts'
import { defaultDataDir } from './data-dir.ts'

// An AI app waits for this with each of its tools: nothing here loads a library.

export interface HookCall {
  readonly app: string
  readonly event: string
  readonly common: Pick<CommonOptions, 'dataDir'>
}

/** Undefined: for the program, which explains itself. */
export function hookOf(argv: readonly string[], context: ConnectContext): HookCall | undefined {
  if (!argv.includes('hook')) return undefined
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: {
        'data-dir': { type: 'string', default: defaultDataDir(context) },
        verbose: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    const [command, app, event, ...more] = positionals
    if (command !== 'hook' || app === undefined || event === undefined || more.length > 0) return undefined
    return { app, event, common: { dataDir: resolve(context.cwd, values['data-dir']) } }
  } catch {
    return undefined
  }
}

/** The app gives up then. */
const PATIENCE_MS = 2_000
const MOST_BYTES = 64_000_000
const NOTHING = '{}'

/**
 * One JSON object on stdout and exit code 0, whatever happens: without an answer the app goes on as without Sluice.
 * Starts no engine.
 */
export async function runHook(
  call: HookCall,
  context: ConnectContext,
  patienceMs = PATIENCE_MS,
): Promise<number> {
  const late = AbortSignal.timeout(patienceMs)
  const patience = new Promise<string>((done) => late.addEventListener('abort', () => done(NOTHING)))
  const answer = await Promise.race([ask(call, context, late).catch(() => NOTHING), patience])
  context.stdout.write(`${answer}\n`)
  context.stdin.destroy()
  return 0
}

async function ask(
  { app, event, common }: HookCall,
  context: ConnectContext,
  late: AbortSignal,
): Promise<string> {
  const payload = await collect(context.stdin)
  if (payload === undefined) return NOTHING
  const { platform, tempDir } = context
  const path = findSocketAddress({ dataDir: common.dataDir, tempDir, platform })
  const socket = await openEngineSocket(path, { sluice: 1, hook: { app, event } }, platform)
  if (!socket) return NOTHING
  late.addEventListener('abort', () => socket.destroy())
  socket.end(payload)
  const text = (await collect(socket))?.toString() ?? ''
  // An answer that is cut off is none.
  JSON.parse(text)
  return text
}

async function collect(stream: AsyncIterable<unknown>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    const piece = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
    bytes += piece.length
    if (bytes > MOST_BYTES) return undefined
    chunks.push(piece)
  }
  return Buffer.concat(chunks, bytes)
}
