/** Read by glibc when a program starts, and never again. One arena costs no speed: Node's own threads seldom ask for memory. */
const GLIBC = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' }
/** Says that they were put in here, and are to be taken out again. */
const MARK = 'SLUICE_GIVES_MEMORY_BACK'
const LONG_RUNNING = new Set(['serve', 'start'])

export interface GiveMemoryBackOptions {
  /** Without the program and the script. */
  readonly args: readonly string[]
  /** Of this process; changed. */
  readonly env: Record<string, string | undefined>
  readonly platform: NodeJS.Platform
  readonly isElectron: boolean
  /** Puts a program in the place of this process; where it can't be done, undefined. */
  readonly replace: ((env: NodeJS.ProcessEnv) => void) | undefined
}

/**
 * Starts an engine that will run for months anew, before anything was loaded, so that glibc gives freed memory back to the
 * system. By itself it keeps more with every large block that is freed (mallopt(3): M_TRIM_THRESHOLD is adjusted
 * dynamically), and it begins an arena of its own for many a thread, up to eight for each processor, in which one small
 * block that stays keeps megabytes of a thread that ended long ago. What the environment says by itself stays; servers
 * inherit nothing of this.
 */
export function giveMemoryBack({ args, env, platform, isElectron, replace }: GiveMemoryBackOptions): void {
  if (env[MARK] !== undefined) {
    for (const name of [MARK, ...Object.keys(GLIBC)]) delete env[name]
    return
  }
  // Electron has an allocator of its own.
  const settings = isElectron ? undefined : memorySettings(args, { env, platform })
  if (settings) replace?.(settings)
}

/** The environment in which a process with these arguments starts so; undefined where it starts as it is. */
export function memorySettings(
  args: readonly string[],
  { env, platform }: Pick<GiveMemoryBackOptions, 'env' | 'platform'>,
): NodeJS.ProcessEnv | undefined {
  if (platform !== 'linux' || !args.some((arg) => LONG_RUNNING.has(arg))) return undefined
  if (Object.keys(env).some((name) => name.startsWith('MALLOC_') || name === 'GLIBC_TUNABLES'))
    return undefined
  return { ...env, ...GLIBC, [MARK]: '1' }
}
