import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import spawn from 'cross-spawn'
import { holdersOf, pipesOf, type Pipes } from './pipe-holders.ts'

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Windows: command not found, known only when its shell ends. */
  readonly error?: Error
}

/** In milliseconds. */
export interface EndSteps {
  readonly endOfInput: number
  readonly terminate: number
  readonly kill: number
}

const END_STEPS: EndSteps = { endOfInput: 2000, terminate: 2000, kill: 2000 }

/** Once the leader is gone: its descendants don't read stdin. */
const ORPHANS_MS = 200
const POLL_MS = 10
/** Finding pipe holders checks every process. */
const HOLDERS_POLL_MS = 50

export interface ProcessGroupOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  /** Synchronous, so that the group is recorded even if this process is killed in the next turn. */
  readonly onStarted?: (pid: number) => void
  readonly endSteps?: EndSteps
  readonly platform?: NodeJS.Platform
}

/**
 * On POSIX a process group, so that wrappers (npx, uvx, shells) end with their children; on Windows `taskkill /T`
 * walks the tree. On Linux, processes that left the group (`setsid`) but hold its stdin or stdout end with it.
 */
export class ProcessGroup {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** The program only, not its descendants. */
  readonly exited: Promise<ProcessExit>
  readonly #endSteps: EndSteps
  readonly #platform: NodeJS.Platform
  /** Read at start, because an ended program has none. */
  readonly #pipes: Pipes
  #exit: ProcessExit | undefined
  #ending: Promise<boolean> | undefined
  /** A gone group's id may be reused: never signalled again. */
  #gone = false

  private constructor(child: ChildProcess, options: ProcessGroupOptions, pipes: Pipes) {
    const { pid, stdin, stdout, stderr } = child
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error('The process has no pipes.')
    this.pid = pid
    this.stdin = stdin
    this.stdout = stdout
    this.stderr = stderr
    // Broken pipes show in the exit or the write callback.
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
      // cross-spawn emits this instead of exit; nothing else signals through the child object.
      child.on('error', (error) => onExit({ code: 1, signal: null, error }))
    })
  }

  /** Rejects with Node's error (ENOENT, EACCES, ...). */
  static async start(options: ProcessGroupOptions): Promise<ProcessGroup> {
    const child = spawn(options.command, [...options.args], {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: 'pipe',
      // Own group on POSIX. On Windows it would open a console window.
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

  /** The whole group, gently first. Resolves with whether the end is confirmed. Idempotent. */
  end(): Promise<boolean> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  async #end(): Promise<boolean> {
    const isGone = await this.#endGroup()
    return (await this.#endHolders()) && isGone
  }

  /** Outside the group. */
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
      // ESRCH: none left. EPERM: on macOS a group waiting to be reaped.
      this.#gone = true
      return false
    }
  }

  /** In containers whose init doesn't reap, zombies stay listed. */
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
    // Already ended.
  }
}

/** `pid (command) state ppid pgrp …`; the command may contain spaces and brackets. */
function isLiveMember(id: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'latin1')
    const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return Number(pgrp) === group && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}
