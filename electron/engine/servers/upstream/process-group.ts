import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import spawn from 'cross-spawn'
import { holdersOf, pipesOf } from './pipe-holders.ts'

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Windows: the command was not found, which only shows when the shell that looked for it ends. */
  readonly error?: Error
}

/** Milliseconds that a process group gets for each step of its end. */
export interface EndSteps {
  /** After its stdin was closed. */
  readonly endOfInput: number
  /** After SIGTERM. */
  readonly terminate: number
  /** After SIGKILL, before its end is reported as not confirmed. */
  readonly kill: number
}

export const END_STEPS: EndSteps = { endOfInput: 2000, terminate: 2000, kill: 2000 }

/** When the leader is gone and only its descendants are left, nobody reads stdin any more: they get no longer than this. */
const ORPHANS_MS = 200
const POLL_MS = 10
/** To look who holds a pipe means to look at every process. */
const HOLDERS_POLL_MS = 50

export interface ProcessGroupOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** Called at once, in the same turn of the event loop: whoever is killed in the next one must have noted the group. */
  readonly onStarted?: (pid: number) => void
  readonly endSteps?: EndSteps
  readonly platform?: NodeJS.Platform
}

/**
 * A program and everything it starts. On POSIX it leads its own process group, so that wrappers (npx, uvx, shells) and
 * what they started end together; on Windows `taskkill /T` walks the tree. What left the group (`setsid`) and still holds
 * the program's stdin or stdout ends with it on Linux, where that can be seen.
 */
export class ProcessGroup {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the program itself has exited, whatever its descendants do. */
  readonly exited: Promise<ProcessExit>
  readonly #endSteps: EndSteps
  readonly #platform: NodeJS.Platform
  /** Read at the start: a program that has ended has none. */
  readonly #pipes: ReadonlySet<string>
  #exit: ProcessExit | undefined
  #ending: Promise<boolean> | undefined
  /** Once the group is gone its id may be given to strangers: it is never signalled again. */
  #gone = false

  private constructor(child: ChildProcess, options: ProcessGroupOptions, pipes: ReadonlySet<string>) {
    const { pid, stdin, stdout, stderr } = child
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error('The process has no pipes.')
    this.pid = pid
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    // A pipe that breaks shows itself in the exit, or in the callback of the write.
    for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {})
    this.#endSteps = options.endSteps ?? END_STEPS
    this.#platform = options.platform ?? process.platform
    this.#pipes = pipes
    this.exited = new Promise((resolve) => {
      const onExit = (exit: ProcessExit): void => {
        this.#exit ??= exit
        if (!this.#isAlive()) this.#gone = true
        resolve(this.#exit)
      }
      child.once('exit', (code, signal) => onExit({ code, signal }))
      // cross-spawn emits this in place of the exit; nothing else here sends signals through the child object.
      child.on('error', (error) => onExit({ code: 1, signal: null, error }))
    })
  }

  /** Rejects with Node's error (ENOENT, EACCES, ...) when the program cannot be started. */
  static async start(options: ProcessGroupOptions): Promise<ProcessGroup> {
    const child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: 'pipe',
      // A group of its own on POSIX. On Windows it would only open a console window.
      detached: (options.platform ?? process.platform) !== 'win32',
      windowsHide: true,
    })
    if (child.pid !== undefined) options.onStarted?.(child.pid)
    const pipes = pipesOf(child.pid ?? -1, options.platform ?? process.platform)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    return new ProcessGroup(child, options, pipes)
  }

  /** Ends the whole group, gently first. Resolves with whether its end is confirmed. Idempotent. */
  end(): Promise<boolean> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<boolean> {
    const isGone = await this.#endGroup()
    return (await this.#endHolders()) && isGone
  }

  /** Those that the group's signals do not reach. */
  async #endHolders(): Promise<boolean> {
    const { terminate, kill } = this.#endSteps
    const steps = [
      ['SIGTERM', ORPHANS_MS],
      ['SIGKILL', terminate],
      [undefined, kill],
    ] as const
    for (const [signal, patience] of steps) {
      const holders = await this.#holdersAfter(patience)
      if (holders.length === 0) return true
      for (const pid of holders) if (signal) signalOne(pid, signal)
    }
    return false
  }

  /** Who still holds a pipe after so many milliseconds; nobody as soon as nobody does. */
  async #holdersAfter(patience: number): Promise<readonly number[]> {
    const since = performance.now()
    for (;;) {
      const holders = await holdersOf(this.#pipes)
      if (holders.length === 0 || performance.now() - since >= patience) return holders
      await wait(HOLDERS_POLL_MS)
    }
  }

  async #endGroup(): Promise<boolean> {
    const { endOfInput, terminate, kill } = this.#endSteps
    this.stdin.end()
    if (await this.#isGoneWithin(endOfInput)) return true
    await this.#signal('SIGTERM')
    if (await this.#isGoneWithin(terminate)) return true
    await this.#signal('SIGKILL')
    return this.#isGoneWithin(kill)
  }

  async #isGoneWithin(milliseconds: number): Promise<boolean> {
    let orphaned = 0
    for (let waited = 0; waited < milliseconds && orphaned < ORPHANS_MS; waited += POLL_MS) {
      if (!this.#isAlive()) return true
      await wait(POLL_MS)
      if (this.#exit) orphaned += POLL_MS
    }
    return !this.#isAlive() || this.#isOnlyZombies()
  }

  #isAlive(): boolean {
    if (this.#gone) return false
    if (this.#platform === 'win32') return this.#exit === undefined
    try {
      process.kill(-this.pid, 0)
      return true
    } catch {
      // ESRCH: nobody left. EPERM: macOS says so of a group that is only waiting to be collected.
      this.#gone = true
      return false
    }
  }

  /** In containers whose first process collects nobody, the dead stay listed for ever. */
  #isOnlyZombies(): boolean {
    if (this.#platform !== 'linux') return false
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    this.#gone = !ids.some((id) => isLiveMember(id, this.pid))
    return this.#gone
  }

  async #signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (this.#gone) return
    if (this.#platform === 'win32') {
      const force = signal === 'SIGKILL' ? ['/F'] : []
      const taskkill = spawn('taskkill', ['/PID', String(this.pid), '/T', ...force], { stdio: 'ignore' })
      await new Promise((resolve) => taskkill.once('close', resolve).once('error', resolve))
      return
    }
    try {
      process.kill(-this.pid, signal)
    } catch {
      this.#gone = true
    }
  }
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile.
  }
}

/** Reads `pid (command) state ppid pgrp …`; the command may itself hold spaces and brackets. */
function isLiveMember(id: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1')
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(pgrp) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
