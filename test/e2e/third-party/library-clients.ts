import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { ClientOutput, ClientSurroundings, ThirdPartyClient } from './clients.ts'
import type { DriverRequest } from './library-driver.ts'

const DRIVER = resolve(import.meta.dirname, 'library-driver.ts')

/** From npm, in a small program: one process per config, one session per server. */
export function libraryClient(
  name: 'ai-sdk' | 'langchain',
  surroundings: ClientSurroundings,
): ThirdPartyClient {
  const drivers = new Map<string, Driver>()
  const ask = (config: string, request: DriverRequest): Promise<ClientOutput> => {
    const driver = drivers.get(config) ?? new Driver([name, config], surroundings)
    drivers.set(config, driver)
    return driver.ask(request)
  }
  return {
    name,
    list: (config, server) => ask(config, { server }),
    call: (config, server, { tool, args }) => ask(config, { server, tool, args: { ...args } }),
    toolNames: ({ stdout }) => (JSON.parse(stdout) as { names: string[] }).names,
    close: async () => void (await Promise.all([...drivers.values()].map((driver) => driver.end()))),
  }
}

class Driver {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #waiting: ((output: ClientOutput) => void)[] = []
  readonly #ended: Promise<unknown>

  constructor(args: readonly string[], { cwd, env }: ClientSurroundings) {
    this.#child = spawn(process.execPath, [DRIVER, ...args], { cwd, env })
    // Libraries print deprecations there.
    this.#child.stderr.resume()
    this.#ended = once(this.#child, 'close').then(([code]) =>
      this.#waiting.splice(0).forEach((answer) => answer({ code: Number(code ?? -1), stdout: '' })),
    )
    createInterface({ input: this.#child.stdout }).on('line', (stdout) =>
      this.#waiting.shift()?.({ code: stdout.startsWith('{"error"') ? 1 : 0, stdout }),
    )
  }

  ask(request: DriverRequest): Promise<ClientOutput> {
    return new Promise((answer) => {
      this.#waiting.push(answer)
      this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    })
  }

  async end(): Promise<void> {
    this.#child.stdin.end()
    await this.#ended
  }
}
