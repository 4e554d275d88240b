import { Command, Option } from 'commander'
import type { WrapPreview, WrapRequest } from '../engine/client-configs/preview-wrap.ts'
import type { SettingsStore } from '../engine/settings/settings-store.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import type { TargetOptions } from './client-targets.ts'
import { plainText, requireTerminal } from './confirm.ts'
import { ExitCode } from './exit-code.ts'
import type { FirstLook, LookedAtServers } from './look-first.ts'
import { openQuestions, type Questions } from './open-questions.ts'

const ON_FAILURE = ['skip', 'anyway', 'stop'] as const
type OnFailure = (typeof ON_FAILURE)[number]

interface WrapOptions extends TargetOptions {
  readonly server?: readonly string[]
  readonly yes: boolean
  readonly dryRun: boolean
  readonly ifFailing?: OnFailure
  readonly builtIn: boolean
  readonly insist: boolean
  readonly plugin?: string
}

const EXAMPLES = `
An app's servers are moved into Sluice's config.json, and the app starts \`sluice connect\` in their place. First you see
the exact change; then each server is started once, and you see what it offers. One yes makes the change and approves
what you saw, so that the app goes on working at once. \`sluice unwrap\` undoes it.

A server that does not start can be skipped, or wrapped anyway: then it is blocked until you approve it with
\`sluice review\`. With --yes it is skipped unless --if-failing says otherwise, and the exit code is 1.

Examples:
  sluice wrap claude-desktop                  all servers of Claude Desktop
  sluice wrap cursor --server github notion   only these
  sluice wrap claude-code --project .         the servers of this project
  sluice wrap --file ./mcp.json --dry-run     any file; only show what would change, start nothing
  sluice wrap claude-code --built-in          the app's own tools (shell, search, web), by hooks`

const BY = 'sluice wrap'

export const wrapCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('wrap')
    .description("Let an AI app's MCP servers go through Sluice, and approve what they offer.")
    .argument('[client]', 'the app, as `sluice clients` names it')
    .option('--file <path>', 'this file, of whatever app')
    .option('--server <names...>', 'only these servers')
    .option('--project <folder>', "the app's servers for this project")
    .option('--built-in', "the app's own tools in place of its servers, by its hooks", false)
    .option('--insist', "with --built-in: also where another product's hook answers", false)
    .option('--plugin <folder>', 'with --built-in: a plugin of Claude Code, with hooks and MCP entry')
    .option('--yes', 'do it, and approve what the servers offer, without a question', false)
    .option('--dry-run', 'only show what would change', false)
    .addOption(
      new Option('--if-failing <what>', 'what to do with servers that do not start').choices(ON_FAILURE),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (client: string | undefined, options: WrapOptions) => {
      if (!options.builtIn) return end(await wrap(client, options, context, common()))
      const { wrapBuiltIn } = await import('./wrap-built-in.ts')
      end(await wrapBuiltIn(client ?? '', options, { context, common: common() }))
    })

async function wrap(
  client: string | undefined,
  options: WrapOptions,
  context: CliContext,
  common: CommonOptions,
): Promise<number> {
  const { findTargets } = await import('./client-targets.ts')
  const { openSoundSettings } = await import('./sound-settings.ts')
  const targets = findTargets(client, options, context, common, { snippet: true })
  const settings = await openSoundSettings(common, { edits: true })
  const run: WrapRun = { options, context, common, settings, questions: undefined, firstLook: undefined }
  try {
    const codes: number[] = []
    for (const { client: app, path, project, inProject } of targets) {
      const request = {
        client: app.id,
        path,
        inProject,
        ...(options.server ? { servers: options.server } : {}),
        ...(project === undefined ? {} : { project }),
      }
      codes.push(await wrapFile(run, request))
    }
    codes.push(await offerBuiltIn(run, client))
    return Math.max(...codes, ExitCode.ok)
  } finally {
    run.questions?.close()
    await run.firstLook?.close()
    settings.close()
  }
}

/** A question of its own, on a terminal. */
async function offerBuiltIn({ options, context, common, questions }: WrapRun, app?: string): Promise<number> {
  if (!questions || app === undefined || options.file !== undefined || options.project !== undefined)
    return ExitCode.ok
  const { offersBuiltIn, wrapBuiltIn } = await import('./wrap-built-in.ts')
  if (!(await offersBuiltIn(app, { context, common }))) return ExitCode.ok
  const preview = await wrapBuiltIn(app, { ...options, dryRun: true }, { context, common })
  const answer = await questions.ask("Let the app's own tools go through Sluice, too? [y/N] ")
  return /^y(?:es)?$/i.test(answer)
    ? wrapBuiltIn(app, { ...options, yes: true }, { context, common })
    : preview
}

interface WrapRun {
  readonly options: WrapOptions
  readonly context: CliContext
  readonly common: CommonOptions
  readonly settings: SettingsStore
  questions: Questions | undefined
  firstLook: FirstLook | undefined
}

async function wrapFile(run: WrapRun, request: WrapRequest): Promise<number> {
  const { context, options, settings, common } = run
  const { stdout } = context
  const { launcherOf } = await import('./launcher.ts')
  const { requireLauncher } = await import('../engine/client-configs/entries/sluice-entry.ts')
  const { applyWrap, launchesOf, requireWritable } = await import('../engine/client-configs/apply-wrap.ts')
  const { previewWrap } = await import('../engine/client-configs/preview-wrap.ts')
  const { nodeClientFiles: files } = await import('../engine/client-configs/node-client-files.ts')
  const launcher = requireLauncher(launcherOf(context, common))
  const look = (wanted: WrapRequest): WrapPreview =>
    previewWrap(wanted, { files, launcher, machine: context, settings: settings.current })

  let preview = look(request)
  stdout.write(`${plainText(describePreview(preview))}\n`)
  if (preview.servers.length === 0 || options.dryRun) return ExitCode.ok
  requireWritable(preview, { files, launcher, machine: context, settings })
  if (!options.yes) {
    requireTerminal(context)
    run.questions ??= openQuestions(context)
  }
  const { openFirstLook, formatOffers } = await import('./look-first.ts')
  run.firstLook ??= await openFirstLook(context, common)
  const seen = await run.firstLook.look(launchesOf(preview, { files, launcher, machine: context, settings }))
  stdout.write(`${formatOffers(seen)}\n\n`)

  const skipped = await skippedOf(run, seen)
  if (skipped === undefined) {
    stdout.write('Nothing was changed.\n')
    return ExitCode.problem
  }
  if (skipped.length > 0) {
    const leaveOut = preview.servers.filter(({ serverId }) => skipped.includes(serverId))
    preview = look({ ...request, leaveOut })
    stdout.write(
      `${plainText(`Left as it is: ${skipped.join(', ')}. The change without it:\n\n${preview.diff}`)}\n`,
    )
  }
  const code = skipped.length > 0 && options.yes ? ExitCode.problem : ExitCode.ok
  if (preview.servers.length === 0) {
    stdout.write('There is nothing left to wrap. Nothing was changed.\n')
    return code
  }
  if (!(await isWanted(run, preview, seen))) {
    stdout.write('Nothing was changed.\n')
    return ExitCode.ok
  }
  const { backup } = applyWrap(preview, {
    files,
    launcher,
    machine: context,
    settings,
    dataDir: common.dataDir,
    now: context.now,
    pinOffers: (launches) => run.firstLook?.pin(seen, launches, BY),
  })
  stdout.write(`Done. The file as it was: ${backup}\n${preview.advice}\n`)
  return code
}

async function skippedOf(run: WrapRun, { looked }: LookedAtServers): Promise<string[] | undefined> {
  const { options, questions } = run
  const failed = looked.filter(({ outcome }) => outcome === 'failed')
  const what = options.ifFailing ?? (questions ? undefined : 'skip')
  if (what === 'anyway') return []
  if (what === 'skip') return failed.map(({ serverId }) => serverId)
  if (what === 'stop' && failed.length > 0) {
    const { stopAt } = await import('./look-first.ts')
    stopAt(failed)
  }
  const skipped: string[] = []
  for (const { serverId } of failed) {
    const answer = await questions?.ask(
      `"${serverId}" did not start. [s]kip it, wrap it [a]nyway (blocked until you approve it), or stop (anything else)? `,
    )
    if (/^s/i.test(answer ?? '')) skipped.push(serverId)
    else if (!/^a/i.test(answer ?? '')) return undefined
  }
  return skipped
}

async function isWanted(
  { questions }: WrapRun,
  { request, servers }: WrapPreview,
  { changes }: LookedAtServers,
): Promise<boolean> {
  if (!questions) return true
  const ids = new Set(servers.map(({ serverId }) => serverId))
  const open = [...changes].flatMap(([id, all]) => (ids.has(id) ? all.filter(({ denied }) => !denied) : []))
  const approval = open.length === 0 ? '' : `, and approve these ${open.length} definitions`
  return /^y(?:es)?$/i.test(await questions.ask(`Change ${request.path}${approval}? [y/N] `))
}

function describePreview(preview: WrapPreview): string {
  const { label, request, skipped, changes, warnings, diff, servers } = preview
  return [
    `${label}: ${request.path}`,
    ...skipped.map(({ name, why }) => `  ${name} is left as it is: ${why}`),
    ...(servers.length === 0 ? ['  There is nothing to wrap.'] : []),
    ...changes.map((change) => `  ${change}`),
    ...warnings.map((warning) => `  Note: ${warning}`),
    ...(diff === '' ? [] : ['', diff]),
  ].join('\n')
}
