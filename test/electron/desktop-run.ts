import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from 'playwright-core'
import { BROWSER_FLAGS } from '../helpers/browser.ts'

const ROOT = resolve(import.meta.dirname, '../..')
export const MAIN = join(ROOT, 'dist/electron/main.js')
const REGISTER = join(import.meta.dirname, 'stand-in/register.ts')

/** A browser shared by the stand-in and the test. */
export interface SharedBrowser {
  readonly endpoint: string
  readonly browser: Browser
  close(): Promise<void>
}

export async function startSharedBrowser(executable: string, folder: string): Promise<SharedBrowser> {
  const profile = join(folder, 'chromium')
  const child = spawn(
    executable,
    [
      ...BROWSER_FLAGS,
      '--headless=new',
      '--disable-popup-blocking',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ],
    { stdio: 'ignore', detached: true },
  )
  const stop = async (): Promise<void> => {
    const ended = once(child, 'exit')
    // The group, because a distribution's command may be a script that starts the browser.
    process.kill(-(child.pid ?? Number.NaN))
    await ended
  }
  const portFile = join(profile, 'DevToolsActivePort')
  // The file is there before its first line is.
  const portLine = (): string | undefined =>
    existsSync(portFile) ? /^(\d+)\n/.exec(readFileSync(portFile, 'utf8'))?.[1] : undefined
  let port = portLine()
  for (let turn = 0; port === undefined; turn++) {
    if (child.exitCode !== null) throw new Error('The browser did not start.')
    if (turn > 2000) {
      await stop()
      throw new Error('The browser took too long to start.')
    }
    await sleep(50)
    port = portLine()
  }
  const endpoint = `http://127.0.0.1:${port}`
  // On a busy machine the first connection sometimes gets no answer.
  const connect = (): Promise<Browser> => chromium.connectOverCDP(endpoint, { timeout: 60_000 })
  const browser = await connect()
    .catch(connect)
    .catch(async (error: unknown) => {
      await stop()
      throw error
    })
  return {
    endpoint,
    browser,
    close: async () => {
      await browser.close()
      await stop()
    },
  }
}

export interface ShownWindow {
  readonly id: number
  readonly title: string
  readonly isVisible: boolean
  readonly isOnTop: boolean
  readonly url: string
  readonly bounds: { x: number; y: number; width: number; height: number }
}

/** The desktop app's real main.js with the stand-in. */
export interface DesktopRun {
  readonly pid: number
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
  output(): string
  /** Performs a user's or the system's action, or reads what they would see. */
  do<Output = unknown>(name: string, input?: unknown): Promise<Output>
  /** Polls until `isIt` is true. */
  until<Output>(name: string, isIt: (output: Output) => boolean, input?: unknown): Promise<Output>
  kill(): void
}

/** Machines under other load are slow. */
const PATIENCE_MS = 100_000

export interface DesktopOptions {
  /** The main.js of another build. */
  readonly main?: string
  readonly dataDir: string
  readonly browser: SharedBrowser
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export function startDesktop({
  main = MAIN,
  dataDir,
  browser,
  args = [],
  env = {},
}: DesktopOptions): DesktopRun {
  const child = fork(main, ['--data-dir', dataDir, ...args], {
    execArgv: ['--import', REGISTER],
    env: { ...process.env, ...env, STAND_IN_BROWSER: browser.endpoint },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const ask = askOver(child, ended, () => output)
  return {
    pid: child.pid ?? -1,
    ended,
    output: () => output,
    // The caller names the answer's type.
    do: <Output>(name: string, input?: unknown) => ask(name, input) as Promise<Output>,
    until: async <Output>(name: string, isIt: (found: Output) => boolean, input?: unknown) => {
      const end = Date.now() + PATIENCE_MS
      while (Date.now() < end) {
        const found = (await ask(name, input)) as Output
        if (isIt(found)) return found
        await sleep(50)
      }
      throw new Error(`"${name}" never came: ${JSON.stringify(await ask(name, input))}\n${output}`)
    },
    kill: () => child.kill('SIGKILL'),
  }
}

interface Answered {
  readonly id: number
  readonly output?: unknown
  readonly error?: string
}

function askOver(child: ChildProcess, ended: Promise<number | null>, output: () => string) {
  const waiting = new Map<number, (answered: Answered) => void>()
  let lastId = 0
  child.on('message', (answered: Answered) => {
    waiting.get(answered.id)?.(answered)
    waiting.delete(answered.id)
  })
  return async (name: string, input: unknown): Promise<unknown> => {
    const id = ++lastId
    const answer = new Promise<Answered>((resolve) => waiting.set(id, resolve))
    child.send({ id, name, input })
    const gone = ended.then((code): Answered => ({ id, error: `The app ended with ${code}.\n${output()}` }))
    const { output: found, error } = await Promise.race([answer, gone])
    if (error !== undefined) throw new Error(`${name}: ${error}`)
    return found
  }
}

/** The page of the window at this route, through the test's own browser connection. */
export async function pageAt(browser: SharedBrowser, desktop: DesktopRun, route: RegExp): Promise<Page> {
  await desktop.until<ShownWindow[]>('windows', (windows) => windows.some(({ url }) => route.test(url)))
  // This connection is notified slightly later than the app's.
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end) {
    const pages = browser.browser.contexts().flatMap((context) => context.pages())
    const found = pages.find((page) => page.url().includes('.stand-in/') && route.test(page.url()))
    if (found) return found
    await sleep(50)
  }
  throw new Error(`No page shows ${route}.\n${desktop.output()}`)
}
