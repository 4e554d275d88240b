import { Command } from 'commander'
import type { WrapDependencies } from '../engine/client-configs/apply-wrap.ts'
import type { WrapPreview } from '../engine/client-configs/preview-wrap.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import type { TargetOptions } from './client-targets.ts'
import { confirm, plainText } from './confirm.ts'

interface WrapOptions extends TargetOptions {
  readonly server?: readonly string[]
  readonly yes: boolean
  readonly dryRun: boolean
}

const EXAMPLES = `
An app's servers are moved into Sluice's config.json, and the app starts \`sluice connect\` in their place. What it shows
first is the exact change; \`sluice unwrap\` undoes it.

Examples:
  sluice wrap claude-desktop                  all servers of Claude Desktop
  sluice wrap cursor --server github notion   only these
  sluice wrap claude-code --project .         the servers of this project
  sluice wrap --file ./mcp.json --dry-run     any file; only show what would change`

/** `reviewServers` shows what the servers offer and pins it; false leaves everything as it is. */
export const wrapCommand = (
  { context, common }: CommandSetup,
  reviewServers?: (setup: {
    context: CliContext
    common: CommonOptions
    yes: boolean
  }) => WrapDependencies['reviewServers'],
): Command =>
  new Command('wrap')
    .description("Let an AI app's MCP servers go through Sluice.")
    .argument('[client]', 'the app, as `sluice clients` names it')
    .option('--file <path>', 'this file, of whatever app')
    .option('--server <names...>', 'only these servers')
    .option('--project <folder>', "the app's servers for this project")
    .option('--yes', 'do it without a question', false)
    .option('--dry-run', 'only show what would change', false)
    .addHelpText('after', EXAMPLES)
    .action(async (client: string | undefined, options: WrapOptions) => {
      const review = reviewServers?.({ context, common: common(), yes: options.yes })
      await wrap(client, options, { context, common: common(), review })
    })

async function wrap(
  client: string | undefined,
  options: WrapOptions,
  setup: { context: CliContext; common: CommonOptions; review: WrapDependencies['reviewServers'] },
): Promise<void> {
  const { context, common, review } = setup
  const { findTargets, launcherOf, openSettingsOnce } = await import('./client-targets.ts')
  const { applyWrap } = await import('../engine/client-configs/apply-wrap.ts')
  const { previewWrap } = await import('../engine/client-configs/preview-wrap.ts')
  const { nodeClientFiles } = await import('../engine/client-configs/node-client-files.ts')
  const { stdout } = context
  const targets = findTargets(client, options, context, common)
  const launcher = launcherOf(context, common)
  const settings = openSettingsOnce(common)
  try {
    for (const { client: app, path, project, inProject } of targets) {
      const request = {
        client: app.id,
        path,
        inProject,
        ...(options.server ? { servers: options.server } : {}),
        ...(project === undefined ? {} : { project }),
      }
      const preview = previewWrap(request, { files: nodeClientFiles, launcher, settings: settings.current })
      stdout.write(`${plainText(describePreview(preview))}\n`)
      if (preview.servers.length === 0 || options.dryRun) continue
      if (!options.yes && !(await confirm(context, `Change ${path}?`))) {
        stdout.write('Nothing was changed.\n')
        continue
      }
      const outcome = await applyWrap(preview, {
        files: nodeClientFiles,
        launcher,
        settings,
        dataDir: common.dataDir,
        now: context.now,
        ...(review ? { reviewServers: review } : {}),
      })
      stdout.write(
        outcome.outcome === 'declined'
          ? 'Nothing was changed.\n'
          : `Done. The file as it was: ${outcome.backup}\n${preview.advice}\n`,
      )
    }
  } finally {
    settings.close()
  }
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
