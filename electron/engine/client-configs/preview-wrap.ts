import type { ServerSettings } from '../../../shared/settings.ts'
import { SluiceError } from '../ground/errors.ts'
import type { ClientFiles } from './client-files.ts'
import type { ClientSpec } from './client-spec.ts'
import { OTHER_CLIENT, clientNamed } from './clients.ts'
import { describeDiff } from './describe-diff.ts'
import type { LaunchSummary } from '../ground/secrets/hide-secrets.ts'
import { summariseLaunch } from '../ground/secrets/hide-secrets.ts'
import type { Launcher } from './entries/sluice-entry.ts'
import type { ServerName } from './list-servers.ts'
import { placesIn } from './list-servers.ts'
import type { LoadedFile } from './load-client-file.ts'
import { encodeLike, hashOf, loadClientFile } from './load-client-file.ts'
import type { WrapPlan } from './plan-wrap.ts'
import { planWrap } from './plan-wrap.ts'
import { redactText } from './redact-text.ts'

export interface WrapRequest {
  /** Id of the app. */
  readonly client: string
  readonly path: string
  /** Names of the servers; all of the file when left out. */
  readonly servers?: readonly string[]
  /** Claude Code: only the servers of this project. */
  readonly project?: string
  /** Servers that stay as they are. */
  readonly leaveOut?: readonly ServerName[]
  /** The file belongs to a project, and may be shared with others. */
  readonly inProject?: boolean
}

/** What is needed to look; applying needs more. */
export interface PreviewDependencies {
  readonly files: ClientFiles
  readonly launcher: Launcher
  /** The servers and the port that config.json has. */
  readonly settings: {
    readonly servers: Readonly<Record<string, ServerSettings>>
    readonly http: { readonly port: number }
  }
}

export interface PreviewedServer {
  readonly name: string
  readonly project?: string
  /** Its id in Sluice. */
  readonly serverId: string
  /** config.json gets it; otherwise it has it already. */
  readonly isNew: boolean
  readonly launch: LaunchSummary
}

/** The exact change of a file before it is made. Holds no secrets, and may cross process boundaries. */
export interface WrapPreview {
  readonly request: WrapRequest
  readonly label: string
  /** The file that is written: the one behind links. */
  readonly target: string
  /** SHA-256 of the file now, and after the change. */
  readonly hash: string
  readonly resultHash: string
  readonly servers: readonly PreviewedServer[]
  readonly skipped: readonly { readonly name: string; readonly why: string }[]
  /** What will be done, one sentence each. */
  readonly changes: readonly string[]
  readonly warnings: readonly string[]
  /** Unified diff; values of variables and headers are hidden in it. */
  readonly diff: string
  /** What to do afterwards. */
  readonly advice: string
}

/** Shows what wrapping would change. Throws when the file can't be read or the app's files are not to be changed. */
export function previewWrap(request: WrapRequest, dependencies: PreviewDependencies): WrapPreview {
  const { client, file, plan } = prepareWrap(request, dependencies)
  const { text, parsed } = plan.result
  const places = [...placesIn(file.parsed.value, client), ...placesIn(parsed.value, client)]
  return {
    request,
    label: client.label,
    target: file.target,
    hash: file.hash,
    resultHash: hashOf(encodeLike(file, text)),
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
      ...(plan.servers.length > 0 ? fileWarnings(file, request.inProject ?? false) : []),
      ...plan.warnings,
    ],
    diff: describeDiff(
      file.path,
      redactText(file.text, file.parsed, file.format, places),
      redactText(text, parsed, file.format, places),
      'wrapped',
    ),
    advice: client.advice,
  }
}

/** Reads the file and decides; applying does the same again, so that a preview need not carry secrets. */
export function prepareWrap(
  { client: id, path, servers, project, leaveOut }: WrapRequest,
  { files, launcher, settings }: PreviewDependencies,
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
  return { client, file, plan: planWrap(file, { client, selection, own, servers: settings.servers }) }
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

function fileWarnings(file: LoadedFile, inProject: boolean): string[] {
  const warnings: string[] = []
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
