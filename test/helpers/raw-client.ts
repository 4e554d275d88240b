import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type RawMessage = { [key: string]: unknown }

export interface RawClientOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** Answers server requests; the returned object is the rest of the answer: `{ result }` or `{ error }`. */
  readonly onQuestion?: (method: string, params: unknown) => RawMessage
}

/** Sends and records messages without SDK. */
export class RawClient {
  readonly pid: number
  /** Messages of the other side in order, as text without id, because ids are each side's own. */
  readonly heard: string[] = []
  readonly exited: Promise<number | null>
  stderr = ''
  readonly #child
  readonly #waiting = new Map<unknown, (message: RawMessage) => void>()
  readonly #onQuestion: RawClientOptions['onQuestion']
  #nextId = 1

  constructor({ command, args, env, cwd, onQuestion }: RawClientOptions) {
    this.#child = spawn(command, [...args], { stdio: 'pipe', env: env ?? process.env, cwd })
    this.pid = this.#child.pid ?? -1
    this.#onQuestion = onQuestion
    this.exited = once(this.#child, 'close').then(([code]) => code as number | null)
    this.#child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    // Servers may end before they have read everything.
    this.#child.stdin.on('error', () => {})
    // Not readline, which also ends lines at U+2028.
    let unfinished: string[] = []
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const [end = '', ...lines] = chunk.split('\n')
      unfinished.push(end)
      for (const line of lines) {
        this.#hear(unfinished.join(''))
        unfinished = [line]
      }
    })
  }

  /** With `result` or `error`; rejects if the other side ends without one. */
  request(method: string, params?: RawMessage): Promise<RawMessage> {
    const id = this.#nextId++
    const answer = new Promise<RawMessage>((resolve) => this.#waiting.set(id, resolve))
    this.send({ id, method, ...(params === undefined ? {} : { params }) })
    const ended = this.exited.then((code) =>
      Promise.reject(new Error(`Ended with ${code} before it answered ${method}. ${this.stderr}`)),
    )
    return Promise.race([answer, ended])
  }

  /** Id of the next request. */
  get nextId(): number {
    return this.#nextId
  }

  /** Legacy order: `initialize`, then `notifications/initialized`. */
  async initialize(params: RawMessage = {}): Promise<RawMessage> {
    const answer = await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
      ...params,
    })
    this.send({ method: 'notifications/initialized' })
    return answer
  }

  send(message: RawMessage): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Resolves with the exit code. */
  async end(): Promise<number | null> {
    this.#child.stdin.end()
    return this.exited
  }

  #hear(line: string): void {
    if (line.trim() === '') return
    const message = JSON.parse(line) as RawMessage
    const { jsonrpc: _, id, method, params, ...rest } = message
    this.heard.push(JSON.stringify({ method, params, ...rest }))
    if (typeof method !== 'string') {
      this.#waiting.get(id)?.(message)
      this.#waiting.delete(id)
    } else if (id !== undefined) {
      const answer = this.#onQuestion?.(method, params) ?? {
        error: { code: -32_601, message: 'Not understood.' },
      }
      this.send({ id, ...answer })
    }
  }
}
