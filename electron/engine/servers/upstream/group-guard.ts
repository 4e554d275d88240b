import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Writable } from 'node:stream'
import { messageOf } from '../../ground/errors.ts'
import type { Logger } from '../../ground/logger.ts'

interface GroupLaunch {
  readonly command: string
  readonly args: readonly string[]
}

export interface GroupGuard {
  /** Right before a group is started: who is killed between its start and `add` could not name its id. */
  prepare(launch: GroupLaunch): void
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
    : new ShellGuard(platform, logger)
}

/**
 * Reads "+ 123" and "- 123" for started and ended groups, "> 4567 npx -y server" (clock ticks since boot, command line)
 * for one that is about to start. End of input means the engine ended: the rest gets the engine's grace time, then
 * SIGTERM, then SIGKILL. The one about to start is looked for among the engine's orphans that lead a session.
 */
const SCRIPT = `
trap '' HUP INT TERM
groups=' '
starting=
while read -r sign group command; do
  case "$sign$groups" in
    '>'*) since=$group starting=$command ;;
    +*) groups="$groups$group " starting= ;;
    -*" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
find_starting() {
  read -r stat </proc/$$/stat || return
  set -- \${stat##*) }
  parent=$2
  for entry in /proc/[0-9]*; do
    read -r stat <"$entry/stat" || continue
    set -- \${stat##*) }
    [ "$2 $4" = "$parent \${entry#/proc/}" ] && [ "\${20}" -ge "$since" ] || continue
    case " $$$groups" in *" $4 "*) continue ;; esac
    case "$(tr '\\0\\n' '  ' <"$entry/cmdline")" in
      *"$starting"*) groups="$groups$4 " starting= ; return ;;
    esac
  done
}
for signal in 0 TERM KILL; do
  for group in $groups; do kill -s $signal -- "-$group" 2>/dev/null; done
  for tenth in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    alive=no
    [ $signal = 0 ] && [ "$starting" ] && alive=yes && find_starting
    for group in $groups; do kill -s 0 -- "-$group" 2>/dev/null && alive=yes; done
    [ $alive = no ] && exit 0
    sleep 0.1
  done
done
`

/** Of a command line; more would not go through a pipe in one piece. */
const MOST_TOLD = 900

/** As /proc counts, in hundredths of a second since boot. Undefined elsewhere than on Linux. */
function ticksSinceBoot(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'linux') return undefined
  return readFileSync('/proc/uptime', 'latin1').split(' ', 1)[0]?.replace('.', '')
}

/**
 * A shell takes 1 MB. Started with the first group. Node writes to an idle pipe synchronously, so the shell knows a
 * group even if this process is killed in the same turn.
 */
class ShellGuard implements GroupGuard {
  readonly #platform: NodeJS.Platform
  readonly #logger: Logger
  readonly #groups = new Set<number>()
  #input: Writable | undefined
  #closed = false

  constructor(platform: NodeJS.Platform, logger: Logger) {
    this.#platform = platform
    this.#logger = logger
  }

  prepare({ command, args }: GroupLaunch): void {
    if (!this.#input) this.#start()
    const ticks = ticksSinceBoot(this.#platform)
    // A script's command line begins with its interpreter and has its whole path.
    const shownCommand = [basename(command), ...args].join(' ').replaceAll('\n', ' ').slice(0, MOST_TOLD)
    if (ticks !== undefined) this.#input?.write(`> ${ticks} ${shownCommand}\n`)
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
