import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { programOf } from '../../helpers/program-of.ts'
import { libraryClient } from './library-clients.ts'
import type { OfficialCall } from './official-servers.ts'

/** Without stderr: servers write there, and only when run directly. */
export interface ClientOutput {
  readonly code: number
  readonly stdout: string
}

/** From npm, through its command line. */
export interface ThirdPartyClient {
  readonly name: string
  /** `config`: a file with `mcpServers`. */
  list(config: string, server: string): Promise<ClientOutput>
  call(config: string, server: string, call: OfficialCall): Promise<ClientOutput>
  /** From `list`'s output. */
  toolNames(listed: ClientOutput): string[]
  /** What runs between calls. */
  close?(): Promise<void>
}

/** For clients, and the servers they start. */
export interface ClientSurroundings {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export function thirdPartyClients(surroundings: ClientSurroundings): ThirdPartyClient[] {
  return [
    inspector(surroundings),
    mcporter(surroundings),
    mcpc(surroundings),
    libraryClient('ai-sdk', surroundings),
    libraryClient('langchain', surroundings),
  ]
}

function run(
  program: string,
  args: readonly string[],
  surroundings: ClientSurroundings,
  nodeArgs: readonly string[] = [],
): Promise<ClientOutput> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...nodeArgs, program, ...args],
      { ...surroundings, maxBuffer: 64_000_000, timeout: 240_000 },
      (error, stdout) => resolve({ code: error ? Number(error.code ?? -1) : 0, stdout }),
    )
  })
}

const named = (tools: readonly { name: string }[]): string[] => tools.map(({ name }) => name)

/** The MCP Inspector's CLI. */
function inspector(surroundings: ClientSurroundings): ThirdPartyClient {
  const program = programOf('@modelcontextprotocol/inspector', 'mcp-inspector')
  const inspect = (config: string, server: string, ...args: string[]): Promise<ClientOutput> =>
    run(program, ['--cli', '--config', config, '--server', server, '--method', ...args], surroundings)
  return {
    name: 'inspector',
    list: (config, server) => inspect(config, server, 'tools/list'),
    call: (config, server, { tool, args }) =>
      inspect(
        config,
        server,
        'tools/call',
        '--tool-name',
        tool,
        ...Object.entries(args).flatMap(([key, value]) => [
          '--tool-arg',
          `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        ]),
      ),
    toolNames: ({ stdout }) => named((JSON.parse(stdout) as { tools: { name: string }[] }).tools),
  }
}

function mcporter(surroundings: ClientSurroundings): ThirdPartyClient {
  const program = programOf('mcporter', 'mcporter')
  return {
    name: 'mcporter',
    // Also prints how the server is started and how long that took, which differ by design.
    list: async (config, server) => {
      const { code, stdout } = await run(
        program,
        ['--config', config, 'list', server, '--json', '--schema'],
        surroundings,
      )
      const { status, tools, issue } = JSON.parse(stdout) as Record<string, unknown>
      return { code, stdout: JSON.stringify({ status, tools, issue }, undefined, 2) }
    },
    call: (config, server, { tool, args }) =>
      run(
        program,
        ['--config', config, 'call', `${server}.${tool}`, '--args', JSON.stringify(args), '--output', 'raw'],
        surroundings,
      ),
    toolNames: ({ stdout }) => named((JSON.parse(stdout) as { tools: { name: string }[] }).tools),
  }
}

/** A command waits five seconds for its background process to start, too few on a busy machine: its clock runs a hundred times slower. */
const SLOW_CLOCK =
  'data:text/javascript,const { now } = Date; const start = now(); Date.now = () => start %2B (now() - start) / 100'

/** Apify's command line: a background process keeps the session between commands. */
function mcpc(surroundings: ClientSurroundings): ThirdPartyClient {
  const program = programOf('@apify/mcpc', 'mcpc')
  const sessions = new Map<string, Promise<string>>()
  const mcpc = (...args: string[]): Promise<ClientOutput> =>
    run(program, [...args, '--json'], surroundings, [`--import=${SLOW_CLOCK}`])
  const open = async (config: string, server: string): Promise<string> => {
    const session = `@${server}-${basename(config, '.json')}`
    await mcpc('connect', `${config}:${server}`, session)
    return session
  }
  const sessionOf = (config: string, server: string): Promise<string> => {
    const key = `${config}:${server}`
    const session = sessions.get(key) ?? open(config, server)
    sessions.set(key, session)
    return session
  }
  return {
    name: 'mcpc',
    list: async (config, server) => mcpc(await sessionOf(config, server), 'tools-list'),
    call: async (config, server, { tool, args }) =>
      mcpc(await sessionOf(config, server), 'tools-call', tool, JSON.stringify(args)),
    toolNames: ({ stdout }) => named(JSON.parse(stdout) as { name: string }[]),
    close: async () => {
      const opened = await Promise.all(sessions.values())
      await Promise.all(opened.map((session) => mcpc('close', session)))
    },
  }
}
