import { existsSync, statSync } from 'node:fs'
import { basename, isAbsolute, resolve } from 'node:path'
import { SluiceError, messageOf } from '../../engine/ground/errors.ts'
import { silentLogger } from '../../engine/ground/logger.ts'
import { LATEST_LEGACY_VERSION } from '../../engine/protocol/era.ts'
import { definedOnly } from '../../engine/ground/defined-only.ts'
import { didYouMean } from '../../engine/ground/nearest.ts'
import { isJsonObject, type JsonObject, RpcError, RpcErrorCode } from '../../engine/protocol/json-rpc.ts'
import { withPlace } from '../../engine/ground/secrets/moved-values.ts'
import { createRedactor } from '../../engine/ground/secrets/redact.ts'
import { resolveSecrets } from '../../engine/servers/resolve-secrets.ts'
import type { Secrets } from '../../engine/ground/secrets/secrets.ts'
import { expandServer, placeholderValuesOf, secretsOf } from '../../engine/settings/expand-env.ts'
import { resolveToolPolicy } from '../../engine/settings/resolve-policy.ts'
import { EVERY_CAPABILITY } from '../../engine/protocol/every-capability.ts'
import { checkToolSettings } from '../../engine/tools/check-tool-settings.ts'
import type { UpstreamLink } from '../../engine/protocol/link.ts'
import { unknownVariables } from '../../engine/servers/look-at-server.ts'
import { createOpenLink } from '../../engine/servers/open-link.ts'
import { createGroupGuard, type GroupGuard } from '../../engine/servers/upstream/group-guard.ts'
import type { ServerSettings, Settings } from '../../../shared/settings.ts'
import type { CliContext } from '../cli-context.ts'
import type { InApps } from './check-clients.ts'
import { findCommand } from './find-command.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

export async function checkServers(
  settings: Settings,
  offline: boolean,
  context: CliContext,
  secrets: Pick<Secrets, 'get'>,
  inApps: InApps,
): Promise<Finding[]> {
  const all = Object.entries(settings.servers)
  if (all.length === 0) {
    return [
      warning('servers', 'There are none. Add one to config.json (`sluice init` writes one to start from).'),
    ]
  }
  const enabled = all.filter(([id, server]) => server.disabled !== true && !inApps.off.has(id))
  const off = all.length - enabled.length
  // Servers lead groups of their own, which Ctrl-C does not reach.
  const guard = createGroupGuard({ platform: context.platform, logger: silentLogger })
  const findings = await Promise.all(
    enabled.map(([id]) =>
      checkServer(id, settings, offline, { ...context, guard }, secrets, inApps.given.get(id) ?? []),
    ),
  ).finally(() => guard.close())
  return [...findings.flat(), ...(off > 0 ? [ok('servers', `${off} disabled, not looked at.`)] : [])]
}

type App = NonNullable<ReturnType<InApps['given']['get']>>[number]
type GuardedContext = CliContext & { readonly guard: GroupGuard }

async function checkServer(
  id: string,
  settings: Settings,
  offline: boolean,
  context: GuardedContext,
  secrets: Pick<Secrets, 'get'>,
  apps: readonly App[],
): Promise<Finding[]> {
  const subject = `server ${id}`
  const written = settings.servers[id]
  if (!written) return []
  const unknown = unknownVariables(written, [], definedOnly(context.env))
  const app = apps.find(({ names }) => unknown.every((name) => names.includes(name)))
  if (unknown.length > 0 && app)
    return [
      ok(
        subject,
        `It was not started: ${app.label} gives it ${unknown.map(withPlace).join(', ')} when it starts it, and only ${app.label} knows the value.`,
      ),
    ]
  const redactor = createRedactor()
  const clean = (text: string): string => redactor.clean({ text }).text
  try {
    const kept = await resolveSecrets(written, secrets)
    redactor.add([...Object.values(kept), ...placeholderValuesOf(written, context.env)])
    const server = expandServer(id, written, context.env, kept)
    redactor.add(secretsOf(server))
    const faults = checkCommand(subject, server, context)
    if (faults.some(({ status }) => status === 'problem')) return faults
    if (offline) return [...faults, ok(subject, 'Its settings are right; it was not started (--offline).')]
    return [...faults, ...(await startAndList(id, server, settings, context, clean))]
  } catch (error) {
    return [problem(subject, clean(messageOf(error)))]
  }
}

function checkCommand(subject: string, server: ServerSettings, context: CliContext): Finding[] {
  if (server.command === undefined) return []
  if (isSluice(server)) {
    return [
      problem(
        subject,
        'It starts Sluice itself, which would start itself again without end. Name the server behind it.',
      ),
    ]
  }
  const env = { ...context.env, ...server.env }
  const { platform } = context
  const { cwd } = server
  if (cwd !== undefined && isAbsolute(cwd) && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return [problem(subject, `Its "cwd", ${cwd}, is not a folder. Correct it in config.json.`)]
  }
  if (findCommand(server.command, { env, platform, cwd: server.cwd ?? context.homeDir })) return []
  const place = resolve(server.cwd ?? context.homeDir, server.command)
  if (server.command.includes('/') && existsSync(place))
    return [
      problem(
        subject,
        `"${server.command}" is there, but can not be started. Make it executable (chmod +x).`,
      ),
    ]
  const hint = /\s/.test(server.command)
    ? ' A command is one program: its arguments go into "args".'
    : ' Install it, or write its full path (in a terminal: ' +
      `${platform === 'win32' ? 'where' : 'which'} ${server.command}). Programs started from a desktop see a shorter PATH than a terminal.`
  return [problem(subject, `The program "${server.command}" was not found.${hint}`)]
}

const isSluice = ({ command = '', args = [] }: ServerSettings): boolean =>
  args.includes('connect') &&
  [command, ...args].some(
    (part) => /^sluice(\.cmd|\.exe)?$/.test(basename(part)) || /electron[\\/]cli\.[jt]s$/.test(part),
  )

/** `npx` may download a server. */
const START_MS = 60_000
const LIST_MS = 30_000

async function startAndList(
  id: string,
  server: ServerSettings,
  settings: Settings,
  context: GuardedContext,
  clean: (text: string) => string,
): Promise<Finding[]> {
  const subject = `server ${id}`
  const env = definedOnly(context.env)
  const openLink = createOpenLink({
    logger: silentLogger,
    clean,
    parseLarge: async (pieces) => JSON.parse(new TextDecoder().decode(Buffer.concat(pieces))),
    limits: () => settings.limits,
    env,
    startMs: START_MS,
    guard: context.guard,
  })
  const start = performance.now()
  const link = await openLink({
    serverId: id,
    settings: server,
    client: {
      era: 'legacy',
      protocolVersion: LATEST_LEGACY_VERSION,
      capabilities: EVERY_CAPABILITY,
      clientInfo: { name: 'sluice-doctor', version: context.version },
    },
    env,
    cwd: context.homeDir,
    events: {
      onNotification: () => {},
      onRequest: async (method) => {
        throw new RpcError(RpcErrorCode.methodNotFound, `Sluice's doctor does not answer ${method}.`)
      },
      onLost: () => {},
    },
  })
  try {
    const tools = await listTools(link)
    const ms = Math.round(performance.now() - start)
    const { name, version } = link.hello.serverInfo
    return [
      ok(subject, `${name} ${version} (MCP ${link.hello.protocolVersion}), ${tools.length} tools, ${ms} ms.`),
      ...checkTools(id, tools, settings),
    ]
  } finally {
    await link.close()
  }
}

async function listTools(link: UpstreamLink): Promise<JsonObject[]> {
  if (!isJsonObject(link.hello.capabilities['tools'])) return []
  const tools: JsonObject[] = []
  const seen = new Set<unknown>()
  for (let params: JsonObject | undefined = {}; params;) {
    const page: JsonObject = await link.request('tools/list', params, { timeoutMs: LIST_MS })
    const { tools: listed, nextCursor: cursor } = page
    if (Array.isArray(listed)) tools.push(...listed.filter(isJsonObject))
    if (seen.has(cursor)) {
      throw new SluiceError(
        'SERVER_UNAVAILABLE',
        'Its tool list does not end: a page leads back to an earlier one.',
      )
    }
    seen.add(cursor)
    params = cursor === undefined ? undefined : { cursor }
  }
  return tools
}

function checkTools(id: string, tools: readonly JsonObject[], settings: Settings): Finding[] {
  const byName = new Map(tools.map((tool) => [String(tool['name']), tool]))
  return Object.keys(settings.servers[id]?.tools ?? {}).flatMap((name) => {
    const subject = `server ${id}`
    const definition = byName.get(name)
    if (!definition) {
      return [
        warning(
          subject,
          `Settings for the tool "${name}", which it does not have.${didYouMean(name, byName.keys())}`,
        ),
      ]
    }
    return checkToolSettings(definition, resolveToolPolicy(settings, id, name)).map(
      ({ severity, path, message }) =>
        (severity === 'error' ? problem : warning)(subject, `tools.${name}.${path}: ${message}`),
    )
  })
}
