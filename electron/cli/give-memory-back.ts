/** glibc reads these only at program start. One arena costs no speed, because Node's threads seldom allocate. */
const GLIBC = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_MMAP_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '1' }
const MARK = 'SLUICE_GIVES_MEMORY_BACK'
const LONG_RUNNING = new Set(['serve', 'start', 'engine'])

export interface GiveMemoryBackOptions {
  /** After program and script. */
  readonly args: readonly string[]
  /** Of this process; changed. */
  readonly env: Record<string, string | undefined>
  readonly platform: NodeJS.Platform
  readonly isElectron: boolean
  readonly replace: ((env: NodeJS.ProcessEnv) => void) | undefined
}

/**
 * Before loading anything, so that glibc returns freed memory. By default its trim threshold grows with each large
 * freed block (mallopt(3): M_TRIM_THRESHOLD), and it creates up to eight arenas per processor, where one small block
 * retains megabytes of an ended thread. Existing variables take precedence; servers inherit none of these.
 */
export function giveMemoryBack({ args, env, platform, isElectron, replace }: GiveMemoryBackOptions): void {
  if (env[MARK] !== undefined) {
    for (const name of [MARK, ...Object.keys(GLIBC)]) delete env[name]
    return
  }
  // Electron has its own allocator.
  const settings = isElectron ? undefined : memorySettings(args, { env, platform })
  if (settings) replace?.(settings)
}

/** Undefined: unchanged. */
export function memorySettings(
  args: readonly string[],
  { env, platform }: Pick<GiveMemoryBackOptions, 'env' | 'platform'>,
): NodeJS.ProcessEnv | undefined {
  if (platform !== 'linux' || !args.some((arg) => LONG_RUNNING.has(arg))) return undefined
  if (Object.keys(env).some((name) => name.startsWith('MALLOC_') || name === 'GLIBC_TUNABLES'))
    return undefined
  return { ...env, ...GLIBC, [MARK]: '1' }
}
