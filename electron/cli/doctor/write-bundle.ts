import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SluiceError } from '../../engine/ground/errors.ts'
import { explainFileFailure } from '../../engine/ground/files/explain-file-failure.ts'
import { createRedactor } from '../../engine/ground/secrets/redact.ts'
import type { Secrets } from '../../engine/ground/secrets/secrets.ts'
import { placeholderValuesOf, secretsOf } from '../../engine/settings/expand-env.ts'
import type { ServerSettings, Settings } from '../../../shared/settings.ts'
import type { CliContext } from '../cli-context.ts'
import type { Finding } from './finding.ts'

export interface BundleOptions {
  /** The file to write; never over an existing one. */
  readonly path: string
  readonly dataDir: string
  readonly findings: readonly Finding[]
  readonly settings: Settings
  readonly secrets: Pick<Secrets, 'list' | 'get'>
  readonly context: CliContext
}

/** Of the end of the log, in bytes. */
const LOG_BYTES = 500_000
const PLACEHOLDER = /^\$\{(?:env|secret):[^}]*\}$/

/**
 * Writes what somebody needs who is to help, into one JSON file: findings, settings, versions, sizes, the end of the log.
 * Values of variables and headers are left out, every kept secret and what looks like one is blanked wherever it stands,
 * and the home folder is "~". Results, the ledger and approvals are not in it.
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
    throw explainFileFailure(error, `The bundle ${path} can't be written`)
  }
}

/** What is kept (with the parts of what is JSON), what settings hold in plain words, and the token of the HTTP server. */
async function everySecret({ secrets, settings, dataDir, context }: BundleOptions): Promise<string[]> {
  const kept: string[] = []
  for (const { name } of await secrets.list().catch(() => [])) {
    // One that can't be read here can't be written either.
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

/** Names and sizes at the top of the data folder; folders with the number of what is in them. */
function filesIn(dataDir: string): Record<string, string> {
  if (!existsSync(dataDir)) return {}
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
