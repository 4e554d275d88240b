import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'

export interface GroupGuard {
  /** Before starting a group, so that `add` has a recipient. */
  prepare(): void
  /** `pid` leads the group. */
  add(pid: number): void
  /** Ended; the id may be reused. */
  remove(pid: number): void
  close(): void
}

/** A separate process, because SIGKILL or a crash gives no warning. */
export function createGroupGuard({
  platform,
  logger,
}: {
  platform: NodeJS.Platform
  logger: Logger
}): GroupGuard {
  // Windows has no process groups: a server ends with its pipes, unless it ignores them.
  return platform === 'win32'
    ? { prepare: () => {}, add: () => {}, remove: () => {}, close: () => {} }
    : new ShellGuard(logger)
}

/**
 * Reads "+ 123" and "- 123" for started and ended groups. End of input means the engine ended: the rest gets the
 * engine's grace time, then SIGTERM, then SIGKILL.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case "$sign$groups" in
    +*) groups="$groups$group " ;;
    -*" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for signal in 0 TERM KILL; do
  for group in $groups; do kill -s $signal -- "-$group" 2>/dev/null; done
  for tenth in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    alive=no
    for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && alive=yes; done
    [ $alive = no ] && exit 0
    sleep 0.1
  done
done
`

/**
 * A shell takes 1 MB. Started with the first group. Node writes to an idle pipe synchronously, so the shell knows a
 * group even if this process is killed in the same turn.
 */
class ShellGuard implements GroupGuard {
  readonly #logger: Logger
  readonly #groups = new Set<number>()
  #input: Writable | undefined
  #closed = false

  constructor(logger: Logger) {
    this.#logger = logger
  }

  prepare(): void {
    if (!this.#input) this.#start()
  }

  add(pid: number): void {
    this.#groups.add(pid)
    if (this.#input) this.#input.write(`+ ${pid}\n`)
    else this.#start()
  }

  remove(pid: number): void {
    if (this.#groups.delete(pid)) this.#input?.write(`- ${pid}\n`)
  }

  close(): void {
    this.#closed = true
    this.#input?.end()
    this.#input = undefined
  }

  #start(): void {
    if (this.#closed) return
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sluice-guard'], {
      // Own session: terminal signals don't reach it.
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const input = shell.stdin
    const gone = (why: string): void => {
      if (this.#input !== input) return
      this.#input = undefined
      this.#logger.warn('Servers are not guarded against a sudden end of Sluice for now.', { why })
    }
    shell.on('error', (error) => gone(messageOf(error)))
    shell.on('exit', (code, signal) => gone(`The guard ended with ${signal ?? code}.`))
    input.on('error', () => {})
    // Neither the shell nor its pipe keeps this process alive.
    shell.unref()
    if ('unref' in input && typeof input.unref === 'function') input.unref()
    this.#input = input
    input.write([...this.#groups].map((pid) => `+ ${pid}\n`).join(''))
  }
}
