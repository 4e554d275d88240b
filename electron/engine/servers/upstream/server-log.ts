import type { Readable } from 'node:stream'
import type { Logger } from '../../ground/logger.ts'

const KEPT_LINES = 20
const MAX_LINE_CHARACTERS = 500
/** More than shown, because a secret cut at the end would be unrecognisable. */
const READ_CHARACTERS = 8_000
/** The rest is counted. */
const LINES_PER_SECOND = 50

/** Always read, so that a verbose server never blocks; only the last lines are kept. */
export class ServerLog {
  readonly #logger: Logger
  readonly #clean: (text: string) => string
  readonly #last: string[] = []
  #firstStray: string | undefined
  #unfinished = ''
  #budget = LINES_PER_SECOND
  #dropped = 0
  #refill: NodeJS.Timeout | undefined

  constructor(logger: Logger, clean: (text: string) => string) {
    this.#logger = logger
    this.#clean = clean
  }

  readStderr(stream: Readable): void {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => this.#append(text))
    stream.on('end', () => this.#append('\n'))
    stream.on('error', () => {})
  }

  /** Not a message. */
  addStray(line: string): void {
    if (line.trim() === '') return
    this.#firstStray ??= line.slice(0, READ_CHARACTERS)
    this.#log('stdout', line)
  }

  /** Of stdout, without secrets: shows that a program isn't a server. */
  firstStray(): string | undefined {
    return this.#firstStray === undefined ? undefined : this.#shown(this.#firstStray).trim()
  }

  /** Of stderr, without secrets. */
  lastLines(): string[] {
    return this.#last.map((line) => this.#shown(line))
  }

  #append(text: string): void {
    const lines = text.split('\n')
    const first = this.#unfinished + (lines[0] ?? '')
    if (lines.length === 1) {
      this.#unfinished = first.slice(0, READ_CHARACTERS)
      return
    }
    this.#unfinished = (lines.at(-1) ?? '').slice(0, READ_CHARACTERS)
    this.#line(first)
    for (const line of lines.slice(1, -1)) this.#line(line)
  }

  #line(line: string): void {
    if (line.trim() === '') return
    const cut = line.trimEnd().slice(0, READ_CHARACTERS)
    this.#last.push(cut)
    if (this.#last.length > KEPT_LINES) this.#last.shift()
    this.#log('stderr', cut)
  }

  #log(stream: 'stderr' | 'stdout', line: string): void {
    if (this.#refill === undefined) this.#refill = setTimeout(() => this.#nextSecond(), 1000).unref()
    if (this.#budget > 0) {
      this.#budget--
      this.#logger.info('server output', { stream, line: this.#shown(line.slice(0, READ_CHARACTERS)) })
    } else this.#dropped++
  }

  #shown(line: string): string {
    return this.#clean(line).slice(0, MAX_LINE_CHARACTERS)
  }

  #nextSecond(): void {
    if (this.#dropped > 0) this.#logger.info('server output left out', { lines: this.#dropped })
    this.#refill = undefined
    this.#budget = LINES_PER_SECOND
    this.#dropped = 0
  }
}
