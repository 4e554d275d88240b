import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | undefined

/**
 * Collects all garbage of this thread now. V8 collects while something allocates: an engine that has become idle would keep
 * what its last large results left behind, tens of megabytes, for as long as nobody calls.
 */
export function collectGarbage(): void {
  collect ??= exposed()
  collect()
}

/** Node offers the function to programs that were started with a flag; a context made while the flag is set has it, too. */
function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  const found: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? () => void found() : () => {}
}
