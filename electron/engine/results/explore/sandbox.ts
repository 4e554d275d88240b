import RELEASE_SYNC from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import { SluiceError } from '../../ground/errors.ts'

export interface SandboxInput {
  readonly code: string
  readonly text: string
  /** From `text` or this JSON. */
  readonly data: 'from text' | { readonly json: string } | undefined
  readonly timeoutMs: number
}

export interface SandboxOutput {
  readonly value: string
  readonly printed: readonly string[]
}

/** TypeScript declares it only in the browser's library. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => {
    readonly buffer: { readonly byteLength: number }
  }
}

/** 128 MB for the interpreter. QuickJS' own limit fails for many small objects. */
const PAGE_BYTES = 65_536
const PAGES = { initial: 256, maximum: 2048 }
const STACK_BYTES = 256 * 1024
/** Bounds the host's memory; the display is cut much earlier. */
const MOST_PRINTED = 1_000_000

/**
 * In a fresh QuickJS: no I/O, timers or modules; limited memory and time. Texts pass as JSON, because QuickJS cuts
 * strings at NUL and corrupts lone surrogates. Throws BAD_INPUT for the code's errors, LIMIT_REACHED for time and
 * memory. Blocks its thread: only for workers.
 */
export async function runInSandbox(input: SandboxInput, now: () => number): Promise<SandboxOutput> {
  try {
    return await run(input, now)
  } catch (error) {
    throw explain(error, input.timeoutMs)
  }
}

async function run(input: SandboxInput, now: () => number): Promise<SandboxOutput> {
  const wasmMemory = new WebAssembly.Memory(PAGES)
  const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory }))
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(STACK_BYTES)
  const deadline = now() + input.timeoutMs
  runtime.setInterruptHandler(() => now() > deadline)
  const context = runtime.newContext()

  let outcome: { value?: string; name?: string; message?: string; isTooLarge?: boolean } | undefined
  let printed: string[] = []
  let size = 0
  give(context, '__text', context.newString(JSON.stringify(input.text)))
  give(context, '__data', dataHandle(context, input.data))
  give(context, '__code', context.newString(JSON.stringify(input.code)))
  hear(context, '__print', (line) => {
    size += line.length
    if (size <= MOST_PRINTED) printed.push(line)
  })
  hear(context, '__restart', () => (printed = []))
  hear(context, '__done', (json) => (outcome = JSON.parse(json) as typeof outcome))

  context.unwrapResult(context.evalCode(DRIVER, 'sluice.js')).dispose()
  // Only jobs can settle promises here.
  const jobs = runtime.executePendingJobs()
  if (jobs.error) context.unwrapResult(jobs)
  if (!outcome) {
    if (now() > deadline) throw new Error('interrupted')
    throw new SluiceError(
      'BAD_INPUT',
      'The code waits for a promise that never settles: there are no timers and no I/O here.',
    )
  }
  if (outcome.isTooLarge) {
    throw new SluiceError(
      'LIMIT_REACHED',
      'What the code returns is too large to be taken out of the 128 MB that it may have. Return a part of it, or a figure.',
    )
  }
  const { value, name, message } = outcome
  if (value === undefined && now() > deadline) throw new Error('interrupted')
  // Out of memory, QuickJS can't create an error and throws null.
  const isFull = wasmMemory.buffer.byteLength > (PAGES.maximum * PAGE_BYTES) / 2
  if (value === undefined && message === 'null' && isFull) throw new Error('out of memory')
  if (value === undefined) throw Object.assign(new Error(message ?? ''), { name: name ?? 'Error' })
  // Nothing is disposed of: the module is collected, and freeing after an interrupt may abort.
  return { value, printed: printed.map((line) => JSON.parse(line) as string) }
}

/**
 * First as a script, whose last expression is the value; code with top-level `return` or `await`, a syntax error
 * there, as a function body.
 */
const DRIVER = `(() => {
  const { parse, stringify } = JSON
  const text = parse(__text), json = __data, code = parse(__code), print = __print, restart = __restart, done = __done
  for (const name of ['__text', '__data', '__code', '__print', '__restart', '__done']) delete globalThis[name]
  const plain = (key, value) =>
    typeof value === 'bigint' ? String(value)
    : value instanceof Map ? Object.fromEntries(value)
    : value instanceof Set ? [...value]
    : value
  const show = (value) => typeof value === 'string' ? value : stringify(value, plain) ?? String(value)
  const log = (...values) => print(stringify(values.map(show).join(' ')))
  globalThis.console = { log, info: log, warn: log, error: log, debug: log }
  globalThis.text = text
  let data, isRead = false
  Object.defineProperty(globalThis, 'data', {
    configurable: true,
    get() {
      if (!isRead) { data = json === undefined ? undefined : parse(json === true ? text : json); isRead = true }
      return data
    },
    set(value) { data = value; isRead = true },
  })
  const AsyncFunction = (async () => {}).constructor
  let isBody = false
  const evaluate = async () => {
    try {
      return await (0, eval)(code)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      let body
      try { body = new AsyncFunction(code) } catch { throw error }
      restart('')
      isBody = true
      return await body()
    }
  }
  const tell = (error) => {
    const isError = error instanceof Error
    const [, line] = (isError && /<(?:evalScript|input|anonymous)>:(\\d+)/.exec(error.stack ?? '')) || []
    // A function body begins in the third line of what is evaluated.
    const place = line && (isBody ? line - 2 : line)
    return {
      name: isError ? String(error.name) : 'Error',
      message: (isError ? String(error.message) : String(error)) + (place ? ' (line ' + place + ')' : ''),
    }
  }
  const answer = async () => {
    try {
      return { value: show(await evaluate()) }
    } catch (error) {
      try { return tell(error) } catch { return { name: 'Error', message: 'it threw something that cannot be shown' } }
    }
  }
  // No .then here: the code may have replaced it.
  ;(async () => {
    const outcome = await answer()
    let json
    try { json = stringify(outcome) } catch { json = '{"isTooLarge":true}' }
    done(json)
  })()
})()`

function dataHandle(context: QuickJSContext, data: SandboxInput['data']): QuickJSHandle {
  if (data === undefined) return context.undefined
  return data === 'from text' ? context.true : context.newString(data.json)
}

function give(context: QuickJSContext, name: string, handle: QuickJSHandle): void {
  context.setProp(context.global, name, handle)
  handle.dispose()
}

function hear(context: QuickJSContext, name: string, listener: (text: string) => void): void {
  const handle = context.newFunction(name, (text) => {
    listener(context.getString(text))
  })
  give(context, name, handle)
}

function explain(error: unknown, timeoutMs: number): SluiceError {
  if (error instanceof SluiceError) return error
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
  if (message.startsWith('interrupted')) {
    return new SluiceError(
      'LIMIT_REACHED',
      `The code was stopped after ${timeoutMs} ms. Do less, or raise "timeout_ms".`,
    )
  }
  if (/out of memory|memory access out of bounds|Aborted|Cannot enlarge memory/i.test(message)) {
    return new SluiceError(
      'LIMIT_REACHED',
      'The code needs more than the 128 MB that it may have. Pick a part with proxy_filter or proxy_search first.',
    )
  }
  return new SluiceError('BAD_INPUT', `The code failed with ${name}: ${message.slice(0, 1000)}`)
}
