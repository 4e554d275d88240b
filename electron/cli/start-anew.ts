/** Read by glibc when a program starts, and never again. One arena costs no speed: Node's own threads seldom ask for memory. */
const GLIBC = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' }
/** Says that they were put in here, and are to be taken out again. */
const MARK = 'SLUICE_STARTED_ANEW'
const LONG_RUNNING = new Set(['serve', 'start'])
const COMPRESSING = new Set([...LONG_RUNNING, 'compress'])
/** Node gives V8 that many threads for compiling and collecting garbage, on however few cores. */
const NODES_POOL = 4

export interface StartAnewOptions {
  /** Without the program and the script. */
  readonly args: readonly string[]
  /** Node's own, in front of the script. */
  readonly nodeArgs: readonly string[]
  /** Of this process; changed. */
  readonly env: Record<string, string | undefined>
  readonly platform: NodeJS.Platform
  readonly isElectron: boolean
  /** How many threads can run at a time. */
  readonly cores: number
  /** Puts the same program in the place of this process; where it can't be done, undefined. */
  readonly replace: ((nodeArgs: readonly string[], env: NodeJS.ProcessEnv) => void) | undefined
}

/**
 * Starts the program anew, before anything was loaded, with what can't be set later:
 *
 * - glibc gives freed memory back to the system. By itself it keeps more with every large block that is freed (mallopt(3):
 *   M_TRIM_THRESHOLD is adjusted dynamically), and it begins an arena of its own for many a thread, up to eight for each
 *   processor, in which one small block that stays keeps megabytes of a thread that ended long ago.
 * - V8's own threads leave a core to the work itself: four on two cores hold up what they are to speed up, by a fifth while
 *   the first texts are compressed.
 *
 * What the environment or the command says by itself stays; servers inherit nothing of this.
 */
export function startAnew(options: StartAnewOptions): void {
  const { env, nodeArgs, isElectron, replace } = options
  if (env[MARK] !== undefined) {
    for (const name of env[MARK].split(',')) delete env[name]
    delete env[MARK]
    return
  }
  // Electron has an allocator and a pool of its own.
  if (isElectron || !replace) return
  const settings = glibcSettings(options)
  const pool = poolSettings(options)
  if (Object.keys(settings).length + pool.length === 0) return
  replace([...nodeArgs, ...pool], { ...env, ...settings, [MARK]: Object.keys(settings).join(',') })
}

function glibcSettings({ args, env, platform }: StartAnewOptions): Record<string, string> {
  if (platform !== 'linux' || !args.some((arg) => LONG_RUNNING.has(arg))) return {}
  const isSet = Object.keys(env).some((name) => name.startsWith('MALLOC_') || name === 'GLIBC_TUNABLES')
  return isSet ? {} : GLIBC
}

function poolSettings({ args, nodeArgs, env, cores }: StartAnewOptions): string[] {
  if (cores > NODES_POOL || !args.some((arg) => COMPRESSING.has(arg))) return []
  const isSet = [...nodeArgs, env['NODE_OPTIONS'] ?? ''].some((arg) => /v8[-_]pool[-_]size/.test(arg))
  return isSet ? [] : [`--v8-pool-size=${Math.max(1, cores - 1)}`]
}
