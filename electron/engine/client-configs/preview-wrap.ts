import type { Machine } from '../ground/surroundings.ts'
import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import type { ClientFiles } from './client-files.ts'
import type { ClientSpec, ServerName } from './client-spec.ts'
import { OTHER_CLIENT, clientNamed } from './clients.ts'
import { describeChange } from './describe-diff.ts'
import { type LaunchSummary, summariseLaunch } from './launch-summary.ts'
import type { Launcher } from './entries/sluice-entry.ts'
import { overriddenKeys } from './formats/config-node.ts'
import { placeOf } from './formats/lines.ts'
import { encodeLike, hashOf, loadClientFile, type LoadedFile } from './load-client-file.ts'
import { planWrap, type WrapPlan } from './plan-wrap.ts'
import { switchedOff } from './switched-off.ts'

export interface WrapRequest {
  /** App id. */
  readonly client: string
  readonly path: string
  /** Default: all. */
  readonly servers?: readonly string[]
  /** Claude Code: of this project. */
  readonly project?: string
  /** Stay unchanged. */
  readonly leaveOut?: readonly ServerName[]
  /** A project's file, possibly shared. */
  readonly inProject?: boolean
}

export interface PreviewDependencies {
  readonly files: ClientFiles
  readonly launcher: Launcher
  readonly machine?: Machine
  /** config.json's. */
  readonly settings: {
    readonly servers: Readonly<Record<string, ServerSettings>>
    readonly http: { readonly port: number }
  }
}

interface PreviewedServer {
  readonly name: string
  readonly project?: string
  /** In Sluice. */
  readonly serverId: string
  /** In config.json. */
  readonly isNew: boolean
  readonly launch: LaunchSummary
}

export interface WrapPreview {
  readonly request: WrapRequest
  readonly label: string
  /** File to write, behind links. */
  readonly target: string
  /** SHA-256 before and after the change. */
  readonly hash: string
  readonly resultHash: string
  readonly servers: readonly PreviewedServer[]
  readonly skipped: readonly { readonly name: string; readonly why: string }[]
  /** One sentence each. */
  readonly changes: readonly string[]
  readonly warnings: readonly string[]
  readonly diff: string
  /** For afterwards. */
  readonly advice: string
}

/** Throws if the file is unreadable or the app's files are read-only to Sluice. */
export function previewWrap(request: WrapRequest, dependencies: PreviewDependencies): WrapPreview {
  const { client, file, plan } = prepareWrap(request, dependencies)
  return {
    request,
    label: client.label,
    target: file.target,
    hash: file.hash,
    resultHash: hashOf(encodeLike(file, plan.result.text)),
    servers: plan.servers.map(({ name, place, serverId, isNew, settings }) => ({
      name,
      ...(place.project === undefined ? {} : { project: place.project }),
      serverId,
      isNew,
      launch: summariseLaunch(settings),
    })),
    skipped: plan.skipped,
    changes: describeChanges(plan, client),
    warnings: [
      ...(plan.servers.length > 0 ? fileWarnings(file, client, request.inProject ?? false) : []),
      ...plan.warnings,
    ],
    diff: describeChange(file, plan.result, client, 'wrapped'),
    advice: client.advice,
  }
}

/** Reads and plans; applying repeats it, so that previews carry no secrets. */
export function prepareWrap(
  { client: id, path, servers, project, leaveOut }: WrapRequest,
  { files, launcher, machine, settings }: PreviewDependencies,
): { client: ClientSpec; file: LoadedFile; plan: WrapPlan } {
  const client = id === OTHER_CLIENT.id ? OTHER_CLIENT : clientNamed(id)
  if (!client) throw new SluiceError('BAD_INPUT', `There is no app "${id}".`)
  if (client.readOnly !== undefined) throw new SluiceError('BAD_INPUT', client.readOnly)
  const file = loadClientFile(path, files)
  const selection = {
    ...(servers ? { servers } : {}),
    ...(project === undefined ? {} : { project }),
    ...(leaveOut ? { leaveOut } : {}),
  }
  const own = { launcher, httpPort: settings.http.port }
  const isOff = switchedOff({ path, value: file.parsed.value, machine }, client, files)
  const plan = planWrap(file, { client, selection, own, isOff, servers: settings.servers })
  return { client, file, plan }
}

function describeChanges({ servers, added }: WrapPlan, { label }: ClientSpec): string[] {
  return [
    ...servers.map(({ name, place, serverId, isNew, settings }) => {
      const where = place.project === undefined ? '' : ` (project ${place.project})`
      const names = [...Object.keys(settings.env ?? {}), ...Object.keys(settings.headers ?? {})]
      const moved = names.length === 0 ? '' : ` What moves along: ${names.join(', ')}.`
      const home = isNew
        ? `config.json gets it as "${serverId}".${moved}`
        : `config.json has it already, as "${serverId}".`
      return `${name}${where}: ${label} reaches it through Sluice. ${home}`
    }),
    ...added.map(
      ({ name, place }) =>
        `${name}${place.project === undefined ? '' : ` (project ${place.project})`}: a new entry with Sluice's own tools, which read back what was shortened.`,
    ),
  ]
}

function fileWarnings(file: LoadedFile, client: ClientSpec, inProject: boolean): string[] {
  const warnings: string[] = client.before === undefined ? [] : [client.before]
  for (const { key, offset } of overriddenKeys(file.parsed.root))
    warnings.push(
      `${file.path}:${placeOf(file.text, offset).line}: "${key}" is given again further down in the same object. Apps use the later one, and so does Sluice; remove one of them.`,
    )
  if (file.target !== file.path) {
    warnings.push(`${file.path} is a link: ${file.target} is the file that is written.`)
  }
  if (inProject) {
    warnings.push(
      'This file belongs to a project. Others who get it through version control have no Sluice at this place: unwrap it before you commit it.',
    )
  }
  return warnings
}
