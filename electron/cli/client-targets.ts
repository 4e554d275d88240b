import { resolve } from 'node:path'
import { SluiceError } from '../engine/ground/errors.ts'
import type { ClientSpec } from '../engine/client-configs/client-spec.ts'
import type { Machine } from '../engine/ground/surroundings.ts'
import { clientSnippet } from '../engine/client-configs/client-snippet.ts'
import { CLIENTS, OTHER_CLIENT, clientNamed } from '../engine/client-configs/clients.ts'
import {
  launcherOrNone,
  requireLauncher,
  type Launcher,
} from '../engine/client-configs/entries/sluice-entry.ts'
import { chooseFiles, projectFilesOf } from '../engine/client-configs/find-clients.ts'
import { nodeClientFiles } from '../engine/client-configs/node-client-files.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { launcherOf } from './launcher.ts'

export interface ClientTarget {
  readonly client: ClientSpec
  readonly path: string
  /** This project's only. */
  readonly project?: string
  readonly inProject: boolean
}

export interface TargetOptions {
  readonly file?: string
  readonly project?: string
}

/** What apps' configurations start, if that is known here. */
export const ownLauncher = (context: CliContext, common: Pick<CommonOptions, 'dataDir'>): Launcher =>
  launcherOrNone(launcherOf(context, common))

/** By app name, --file and --project. Throws BAD_INPUT or CLIENT_FILE_MISSING; `snippet`: with an entry to paste. */
export function findTargets(
  name: string | undefined,
  options: TargetOptions,
  context: CliContext,
  common: CommonOptions,
  { snippet = false } = {},
): readonly ClientTarget[] {
  const named = name === undefined ? undefined : clientOf(name)
  const machine: Machine = { platform: context.platform, homeDir: context.homeDir, env: context.env }
  if (options.file !== undefined) {
    return [targetOfFile(resolve(context.cwd, options.file), named, machine)]
  }
  if (!named) {
    throw new SluiceError(
      'BAD_INPUT',
      'Name an app, or a file with --file. `sluice clients` shows what is here.',
    )
  }
  const { files, question } = chooseFiles(named, { ...machine, files: nodeClientFiles })
  const present = files.filter((path) => nodeClientFiles.facts(path))
  if (options.project !== undefined)
    return targetsInProject(named, resolve(context.cwd, options.project), present)
  if (question !== undefined) throw new SluiceError('BAD_INPUT', [question, ...files].join('\n  '))
  if (present.length > 0) return present.map((path) => ({ client: named, path, inProject: false }))
  const usual = files[0] ?? named.files(machine)[0]?.[0] ?? ''
  throw new SluiceError(
    'CLIENT_FILE_MISSING',
    `No configuration of ${named.label} was found; it would be ${usual}.${
      snippet
        ? ` This is what to put there for Sluice:\n\n${clientSnippet(named, requireLauncher(launcherOf(context, common)), usual)}\n`
        : ' Nothing was changed.'
    }`,
  )
}

function clientOf(name: string): ClientSpec {
  const client = clientNamed(name)
  if (client) return client
  const hint = didYouMean(
    name,
    CLIENTS.map(({ id }) => id),
  )
  throw new SluiceError(
    'BAD_INPUT',
    `There is no app "${name}".${hint} Known are: ${CLIENTS.map(({ id }) => id).join(', ')}. Any other file: --file.`,
  )
}

function targetsInProject(
  client: ClientSpec,
  folder: string,
  userFiles: readonly string[],
): readonly ClientTarget[] {
  const own = projectFilesOf(client, folder, nodeClientFiles).map((path) => ({
    client,
    path,
    inProject: true,
  }))
  // Claude Code also keeps project servers in the user's file.
  const shared = client.places({ projects: { [folder]: {} } }).some(({ project }) => project === folder)
  const inUserFile = shared
    ? userFiles.map((path) => ({ client, path, project: folder, inProject: false }))
    : []
  const all = [...own, ...inUserFile]
  if (all.length > 0) return all
  const places = client.projectFiles.join(', ')
  throw new SluiceError(
    'CLIENT_FILE_MISSING',
    places === ''
      ? `${client.label} has no configuration for single projects.`
      : `No configuration of ${client.label} was found in ${folder} (looked for ${places}).`,
  )
}

/** The location tells the app. */
function targetOfFile(path: string, named: ClientSpec | undefined, machine: Machine): ClientTarget {
  const usersOwn = CLIENTS.find((client) =>
    chooseFiles(client, { ...machine, files: nodeClientFiles }).files.includes(path),
  )
  const inSlashes = path.replaceAll('\\', '/')
  const projects = CLIENTS.find(({ projectFiles }) =>
    projectFiles.some((file) => {
      const [folder = '', end = ''] = file.split('*')
      return file.includes('*')
        ? inSlashes.includes(`/${folder}`) && inSlashes.endsWith(end)
        : inSlashes.endsWith(`/${file}`)
    }),
  )
  const client = named ?? usersOwn ?? projects ?? OTHER_CLIENT
  return { client, path, inProject: usersOwn === undefined && projects !== undefined }
}
