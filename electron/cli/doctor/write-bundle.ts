import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SluiceError } from '../../engine/ground/errors.ts'
import { createRedactor } from '../../engine/ground/secrets/redact.ts'
import type { Secrets } from '../../engine/ground/secrets/secrets.ts'
import { placeholderValuesOf, secretsOf } from '../../engine/settings/expand-env.ts'
import type { ServerSettings, Settings } from '../../../shared/settings.ts'
import type { CliContext } from '../cli-context.ts'
import { unwritableFile } from '../unwritable-file.ts'
import { checkReadable } from './check-folder.ts'
import type { Finding } from './finding.ts'

export interface BundleOptions {
  /** Never overwrites a file. */
  readonly path: string
  readonly dataDir: string
  readonly findings: readonly Finding[]
  readonly settings: Settings
  readonly secrets: Pick<Secrets, 'list' | 'get'>
  readonly context: CliContext
}

/** From the end of the log. */
const LOG_BYTES = 500_000
const PLACEHOLDER = /^\$\{(?:env|secret):[^}]*\}$/

/**
 * Findings, settings, versions, sizes, end of the log. Omits values of variables and headers, blanks stored secrets
 * and what looks like one, and replaces the home folder with "~". Excludes results, ledger and approvals.
 */
export async function writeBundle(options: BundleOptions): Promise<void> {
  const { path, dataDir, findings, settings, context } = options
  if (existsSync(path))
    throw new SluiceError('BAD_INPUT', `${path} exists already. Name another file for the bundle.`)
  const redactor = createRedactor()
  redactor.add(await everySecret(options))
  redactor.hideBy((text) => text.replaceAll(context.homeDir, '~'))
  const { version, nodeVersion, platform, isElectron, now } = context
  const bundle = redactor.clean({
    made: new Date(now()).toISOString(),
    sluice: version,
    node: nodeVersion,
    platform,
    arch: process.arch,
    isElectron,
    findings,
    settings: { ...settings, servers: withoutValues(settings.servers) },
    files: filesIn(dataDir),
    log: lastLines(join(dataDir, 'logs', 'sluice.log')),
  })
  try {
    writeFileSync(path, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    throw unwritableFile(path, error)
  }
}

/** Stored secrets (and the members of JSON ones), plain-text secrets in settings, and the HTTP token. */
async function everySecret({ secrets, settings, dataDir, context }: BundleOptions): Promise<string[]> {
  const kept: string[] = []
  for (const { name } of await secrets.list().catch(() => [])) {
    // An unreadable secret can't appear in the bundle.
    const value = await secrets.get(name).catch(() => undefined)
    if (value !== undefined)
      kept.push(value, ...[...value.matchAll(/"([^"\\]{12,})"/g)].map(([, part]) => part ?? ''))
  }
  const token = join(dataDir, 'token')
  return [
    ...kept,
    ...Object.values(settings.servers).flatMap((server) => [
      ...secretsOf(server),
      ...placeholderValuesOf(server, context.env),
    ]),
    ...(existsSync(token) ? [readFileSync(token, 'utf8')] : []),
  ]
}

function withoutValues(servers: Readonly<Record<string, ServerSettings>>): Record<string, ServerSettings> {
  const hide = (values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, PLACEHOLDER.test(value) ? value : '[left out]']),
    )
  return Object.fromEntries(
    Object.entries(servers).map(([id, server]) => [
      id,
      {
        ...server,
        ...(server.env ? { env: hide(server.env) } : {}),
        ...(server.headers ? { headers: hide(server.headers) } : {}),
        ...(server.signIn?.clientSecret
          ? { signIn: { ...server.signIn, ...hide({ clientSecret: server.signIn.clientSecret }) } }
          : {}),
      },
    ]),
  )
}

/** Folders with their number of entries. */
function filesIn(dataDir: string): Record<string, string> {
  if (checkReadable(dataDir) || !existsSync(dataDir)) return {}
  return Object.fromEntries(
    readdirSync(dataDir, { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isDirectory()
        ? `${readdirSync(join(dataDir, entry.name)).length} entries`
        : `${statSync(join(dataDir, entry.name), { throwIfNoEntry: false })?.size ?? 0} bytes`,
    ]),
  )
}

function lastLines(path: string): unknown[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path).subarray(-LOG_BYTES).toString().split('\n')
  return lines.filter(Boolean).map((line) => {
    try {
      return JSON.parse(line) as unknown
    } catch {
      return line
    }
  })
}
