import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compiledCode } from '../../helpers/compiled-code.ts'
import { writeConfig } from '../../helpers/data-folder.ts'
import { CLI } from '../../helpers/run-cli.ts'
import { startEngine } from '../../helpers/running-engine.ts'
import { thirdPartyClients } from './clients.ts'
import type { ClientOutput, ThirdPartyClient } from './clients.ts'
import { officialServers } from './official-servers.ts'
import type { OfficialServer } from './official-servers.ts'

/** Through Sluice. */
export type Route = 'stdio' | 'http'

/** Share folder and environment. */
export interface Stage {
  readonly clients: readonly ThirdPartyClient[]
  /** Own files per client: simultaneous clients must not interfere. */
  serversFor(client: ThirdPartyClient): readonly OfficialServer[]
  configOf(client: ThirdPartyClient, route: Route | 'direct'): string
  /** Running clients, then the engine. */
  close(): Promise<void>
}

/** Routes for the call of this index; undefined: listing the tools. */
export type RoutePlan = (client: ThirdPartyClient, index: number | undefined) => readonly Route[]

export interface Difference {
  readonly what: string
  readonly route: Route
  readonly direct: ClientOutput
  readonly through: ClientOutput
}

export interface Comparison {
  readonly compared: number
  readonly listed: readonly string[]
  /** With the uncallable ones. */
  readonly called: readonly string[]
  readonly differences: readonly Difference[]
}

const idFor = (client: ThirdPartyClient, server: OfficialServer): string => `${client.name}-${server.id}`

/** Below `folder`. The caller must stop the engine. */
export async function setStage(folder: string): Promise<Stage> {
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const env = { HOME: home, PATH: process.env['PATH'] ?? '', ...compiledCode() }
  const clients = thirdPartyClients({ cwd: folder, env })
  const servers = new Map(
    clients.map((client) => {
      const place = join(folder, client.name)
      mkdirSync(join(place, 'files'), { recursive: true })
      return [client, officialServers(place, client.name)]
    }),
  )
  const serversFor = (client: ThirdPartyClient): OfficialServer[] => servers.get(client) ?? []
  const dataDir = writeConfig(
    join(folder, 'data'),
    Object.fromEntries(
      clients.flatMap((client) =>
        serversFor(client).map((server) => [idFor(client, server), server.settings]),
      ),
    ),
  )
  const engine = await startEngine(dataDir, env)
  const entries = {
    direct: (_client: ThirdPartyClient, server: OfficialServer) => server.settings,
    stdio: (client: ThirdPartyClient, server: OfficialServer) => ({
      command: process.execPath,
      args: [CLI, 'connect', '--server', idFor(client, server), '--data-dir', dataDir],
    }),
    http: (client: ThirdPartyClient, server: OfficialServer) => ({
      type: 'streamable-http',
      url: `${engine.url}/mcp/${idFor(client, server)}`,
      headers: { Authorization: `Bearer ${engine.token}` },
    }),
  }
  const configOf = (client: ThirdPartyClient, route: Route | 'direct'): string =>
    join(folder, client.name, `${route}.json`)
  for (const client of clients) {
    for (const route of ['direct', 'stdio', 'http'] as const) {
      const mcpServers = Object.fromEntries(
        serversFor(client).map((server) => [server.id, entries[route](client, server)]),
      )
      writeFileSync(configOf(client, route), JSON.stringify({ mcpServers }))
    }
  }
  const close = async (): Promise<void> => {
    await Promise.all(clients.map(async (client) => client.close?.()))
    await engine.stop()
  }
  return { clients, serversFor, configOf, close }
}

/** Every listing and call on both routes. */
export const everyRoute: RoutePlan = () => ['stdio', 'http']

/**
 * Each library makes all calls on one route. Command lines list on one route and make their first call on the other (mcpc
 * on the same, because it would open another session), because each start takes over a second of processor time.
 */
export const inRotation: RoutePlan = (client, index) => {
  if (client.name === 'ai-sdk') return ['stdio']
  if (client.name === 'langchain') return ['http']
  if (index === undefined) return client.name === 'mcporter' ? ['http'] : ['stdio']
  if (index > 0) return []
  return client.name === 'inspector' ? ['http'] : ['stdio']
}

/** First directly, then on each route; compares the output. */
export async function compareRoutes(
  stage: Stage,
  client: ThirdPartyClient,
  server: OfficialServer,
  plan: RoutePlan,
  inTurn: <T>(job: () => Promise<T>) => Promise<T>,
): Promise<Comparison> {
  const differences: Difference[] = []
  let compared = 0
  const compare = async (
    what: string,
    routes: readonly Route[],
    run: (config: string) => Promise<ClientOutput>,
    throughOnly?: RegExp,
  ): Promise<ClientOutput> => {
    const runOn = (route: Route | 'direct'): Promise<ClientOutput> =>
      inTurn(async () => {
        server.restore()
        return withoutChance(await run(stage.configOf(client, route)))
      })
    const direct = await runOn('direct')
    for (const route of routes) {
      const through = await runOn(route)
      compared++
      const isSame = through.code === direct.code && through.stdout === direct.stdout
      if (!isSame && !throughOnly?.test(through.stdout)) differences.push({ what, route, direct, through })
    }
    return direct
  }
  const listing = await compare('tools/list', plan(client, undefined), (config) =>
    client.list(config, server.id),
  )
  const listed = client.toolNames(listing)
  for (const [index, call] of server.calls.entries()) {
    const routes = plan(client, index)
    if (routes.length === 0 || !listed.includes(call.tool)) continue
    await compare(
      `${call.tool} ${JSON.stringify(call.args)}`,
      routes,
      (config) => client.call(config, server.id, call),
      call.throughOnly,
    )
  }
  return {
    compared,
    listed,
    called: [...server.calls.map(({ tool }) => tool), ...(server.uncalled ?? [])],
    differences,
  }
}

/** What server-everything generates per call: a task's id, a resource's time. */
const withoutChance = ({ code, stdout }: ClientOutput): ClientOutput => ({
  code,
  stdout: stdout
    .replaceAll(/(taskId['"]?: ['"])[0-9a-f]{32}/g, '$1(drawn by lot)')
    .replaceAll(/(plaintext resource created at )\d{1,2}:\d\d:\d\d [AP]M/g, '$1(now)'),
})
