import { Command } from 'commander'
import type { UnwrapPreview } from '../engine/client-configs/unwrap.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import type { TargetOptions } from './client-targets.ts'
import { confirm, plainText } from './confirm.ts'

interface UnwrapOptions extends TargetOptions {
  readonly server?: readonly string[]
  readonly yes: boolean
  readonly dryRun: boolean
  readonly builtIn: boolean
}

const EXAMPLES = `
A file without later edits gets its original bytes back; otherwise only what wrapping added is removed.

Examples:
  sluice unwrap claude-desktop
  sluice unwrap cursor --server github
  sluice unwrap --file ./mcp.json --dry-run
  sluice unwrap claude-code --built-in`

export const unwrapCommand = ({ context, common }: CommandSetup): Command =>
  new Command('unwrap')
    .description('Undo `sluice wrap`: the app starts its servers itself again.')
    .argument('[client]', 'the app, as `sluice clients` names it')
    .option('--file <path>', 'this file, of whatever app')
    .option('--server <names...>', 'only these servers')
    .option('--project <folder>', "the app's files for this project")
    .option('--built-in', "only the app's own tools: take Sluice's hooks out", false)
    .option('--yes', 'do it without a question', false)
    .option('--dry-run', 'only show what would change', false)
    .addHelpText('after', EXAMPLES)
    .action(async (client: string | undefined, options: UnwrapOptions) => {
      const { unwrapBuiltIn } = await import('./wrap-built-in.ts')
      const isWhole = !options.file && !options.project && !options.server
      const { hookSpecOf } = await import('../engine/client-configs/hooks/hook-specs.ts')
      const hasHooks =
        client !== undefined && (options.builtIn || (isWhole && hookSpecOf(client) !== undefined))
      const isUndone = hasHooks && (await unwrapBuiltIn(client, options, { context, common: common() }))
      const { clientNamed } = await import('../engine/client-configs/clients.ts')
      // Copilot CLI has no servers that could be wrapped.
      if (isUndone && client !== undefined && !clientNamed(client)) return
      if (!options.builtIn) return unwrap(client, options, context, common())
      if (!isUndone) context.stdout.write('None of its own tools go through Sluice.\n')
    })

async function unwrap(
  client: string | undefined,
  options: UnwrapOptions,
  context: CliContext,
  common: CommonOptions,
): Promise<void> {
  const { findTargets, ownLauncher } = await import('./client-targets.ts')
  const { applyUnwrap, previewUnwrap } = await import('../engine/client-configs/unwrap.ts')
  const { silentLogger } = await import('../engine/ground/logger.ts')
  const { openSettings } = await import('../engine/settings/settings-store.ts')
  const { nodeClientFiles } = await import('../engine/client-configs/node-client-files.ts')
  const { stdout } = context
  const targets = findTargets(client, options, context, common)
  // Settings with mistakes don't keep an app from getting its servers back.
  const settings = openSettings({ dataDir: common.dataDir, logger: silentLogger, watch: false })
  const dependencies = {
    files: nodeClientFiles,
    launcher: ownLauncher(context, common),
    settings,
    dataDir: common.dataDir,
    now: context.now,
  }
  try {
    for (const { client: app, path } of targets) {
      const servers = options.server ? { servers: options.server } : {}
      const preview = previewUnwrap({ client: app.id, path, ...servers }, dependencies)
      stdout.write(`${plainText(describePreview(preview))}\n`)
      if (preview.hash === preview.resultHash || options.dryRun) continue
      if (!options.yes && !(await confirm(context, `Change ${path}?`))) {
        stdout.write('Nothing was changed.\n')
        continue
      }
      applyUnwrap(preview, dependencies)
      stdout.write(`Done.\n${preview.advice}\n`)
    }
  } finally {
    settings.close()
  }
}

function describePreview(preview: UnwrapPreview): string {
  const { label, request, hash, resultHash, isExact, restored, removedIds, remarks, diff } = preview
  if (hash === resultHash)
    return [`${label}: ${request.path}`, '  Nothing here is wrapped.', ...indent(remarks)].join('\n')
  const whole = isExact
    ? 'Every byte will be as it was.'
    : 'The file was edited since; only what wrapping put in goes.'
  const gone =
    removedIds.length === 0 ? [] : [`config.json loses ${removedIds.join(', ')}: nothing else uses it.`]
  return [
    `${label}: ${request.path}`,
    ...indent([`Reached directly again: ${restored.join(', ') || 'none'}.`, whole, ...gone, ...remarks]),
    ...(diff === '' ? [] : ['', diff]),
  ].join('\n')
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)
