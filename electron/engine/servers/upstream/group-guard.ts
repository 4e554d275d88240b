import { spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'

/** Ends process groups that outlive this process, however it came to its own end. */
export interface GroupGuard {
  /** To be called before a group is started, so that `add` has somebody to tell. */
  prepare(): void
  /** `pid` leads a process group that must not outlive this process. */
  add(pid: number): void
  /** The group has ended, so its id may soon be a stranger's. */
  remove(pid: number): void
  close(): void
}

/** Nobody can be warned of a SIGKILL or a power cut of the engine, so somebody else must be there when it happens. */
export function createGroupGuard({
  platform,
  logger,
}: {
  platform: NodeJS.Platform
  logger: Logger
}): GroupGuard {
  // Windows has no process groups; there a server ends with its pipes, or stays when it ignores their end.
  return platform === 'win32'
    ? { prepare: () => {}, add: () => {}, remove: () => {}, close: () => {} }
    : new ShellGuard(logger)
}

/**
 * Reads "+ 123" and "- 123" for groups that begin and end. The end of the input is the end of the engine: what is still
 * there then gets the time that the engine would have given it, SIGTERM, and at last SIGKILL.
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
 * A shell takes a megabyte and needs nothing of ours to live on. It is started with the first group. Node writes to an idle
 * pipe at once, so what was added is known to the shell even if this process is killed in the same turn.
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
      // A session of its own: what a terminal sends to all of us must not reach it.
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
