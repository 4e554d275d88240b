import { resolve } from 'node:path'
import { requireLauncher } from '../engine/client-configs/entries/sluice-entry.ts'
import { writeClaudePlugin } from '../engine/client-configs/hooks/claude-plugin.ts'
import { hookObstacle } from '../engine/client-configs/hooks/hook-obstacle.ts'
import type { HookSnippet } from '../engine/client-configs/hooks/hook-snippets.ts'
import { hookSnippetOf } from '../engine/client-configs/hooks/hook-snippets.ts'
import type { HookPlace, HookSpec } from '../engine/client-configs/hooks/hook-spec.ts'
import { hookSpecNamed, hookSpecOf } from '../engine/client-configs/hooks/hook-specs.ts'
import type { HooksPreview } from '../engine/client-configs/hooks/wrap-hooks.ts'
import {
  applyHooks,
  applyHooksRemoval,
  previewHooks,
  previewHooksRemoval,
} from '../engine/client-configs/hooks/wrap-hooks.ts'
import { nodeClientFiles as files } from '../engine/client-configs/node-client-files.ts'
import { readAccessToken } from '../engine/clients/transports/access-token.ts'
import { hookTokenOf } from '../engine/clients/transports/hook-token.ts'
import { typedCommand } from '../engine/clients/typed-command.ts'
import { builtInTools } from '../engine/settings/built-in-policy.ts'
import type { CliContext, CommonOptions } from './cli-context.ts'
import { openSoundSettings } from './sound-settings.ts'
import { confirm, plainText } from './confirm.ts'
import { ExitCode } from './exit-code.ts'
import { launcherOf } from './launcher.ts'

interface CommandRun {
  readonly context: CliContext
  readonly common: CommonOptions
}

export interface BuiltInOptions {
  readonly yes: boolean
  readonly dryRun: boolean
  readonly insist?: boolean
  /** Folder. */
  readonly plugin?: string
}

/** Writes the app's hooks, after a look at the exact change. */
export async function wrapBuiltIn(
  app: string,
  options: BuiltInOptions,
  { context, common }: CommandRun,
): Promise<number> {
  const snippet = hookSnippetOf(app)
  if (snippet) return showSnippet(snippet, { context, common })
  const spec = hookSpecNamed(app)
  const place = await placeOf(spec, { context, common })
  if (options.plugin !== undefined) return writePlugin(options.plugin, { spec, place, context })
  const preview = previewHooks(spec, place, files, { insists: options.insist === true })
  context.stdout.write(`${plainText(describe(spec, place, preview))}\n`)
  if (!preview.plan.isChange || options.dryRun) return ExitCode.ok
  if (!options.yes && !(await confirm(context, `Change ${preview.plan.path}?`))) {
    context.stdout.write('Nothing was changed.\n')
    return ExitCode.ok
  }
  const backup = applyHooks(spec, preview, { files, dataDir: common.dataDir, now: context.now })
  context.stdout.write(`Done. A note of the file as it was: ${backup}\n`)
  const obstacle = hookObstacle(spec, { machine: context, files, port: Number(new URL(place.url).port) })
  if (obstacle !== undefined) context.stdout.write(`Not in effect yet: ${plainText(obstacle)}\n`)
  const rules = await allowRules(spec, { context, common })
  if (rules.length > 0)
    context.stdout.write(
      `So that agents may read kept originals without a question, add these rules to "permissions": {"allow": [...]} of ${preview.plan.path}:\n${rules.map((rule) => `  ${JSON.stringify(rule)}\n`).join('')}`,
    )
  return ExitCode.ok
}

async function showSnippet(
  { label, file, text, remark }: HookSnippet,
  { context, common }: CommandRun,
): Promise<number> {
  const launcher = requireLauncher(launcherOf(context, common))
  const lines = [
    `${label} lets no hook replace the output of its own tools. With this hook, what you ask becomes the goal of its MCP calls.`,
    `Sluice doesn't write the file: add this to ${file(context)} yourself.${remark === undefined ? '' : ` ${remark}`}`,
    '',
    text({ machine: context, launcher }),
  ]
  context.stdout.write(`${plainText(lines.join('\n'))}\n`)
  return ExitCode.ok
}

/** Hooks and the MCP entry as a plugin: nothing of the user's is edited. */
async function writePlugin(
  folder: string,
  { spec, place, context }: { spec: HookSpec; place: HookPlace; context: CliContext },
): Promise<number> {
  const path = resolve(context.cwd, folder)
  writeClaudePlugin(path, { spec, place, files })
  context.stdout.write(
    plainText(
      `Wrote the plugin to ${path}. It holds a token: don't share the folder.\n\nStart Claude Code with --plugin-dir ${path}. Take Sluice's hooks out of its settings first (sluice unwrap claude-code --built-in): with both, each output is sent twice.\nTo undo it, delete the folder.\n`,
    ),
  )
  return ExitCode.ok
}

/** False where the app has none of Sluice's hooks. */
export async function unwrapBuiltIn(
  app: string,
  options: BuiltInOptions,
  { context, common }: CommandRun,
): Promise<boolean> {
  const spec = hookSpecNamed(app)
  const dependencies = { files, dataDir: common.dataDir, now: context.now }
  const preview = previewHooksRemoval(spec, spec.file(context), dependencies)
  const { plan, isExact, diff } = preview
  if (!plan.isChange) return false
  const whole = isExact ? 'Every byte will be as it was.' : "Only Sluice's own entries go."
  context.stdout.write(`${plainText(`${spec.label}, its own tools: ${plan.path}\n  ${whole}\n\n${diff}`)}\n`)
  if (options.dryRun) return true
  if (!options.yes && !(await confirm(context, `Change ${plan.path}?`))) {
    context.stdout.write('Nothing was changed.\n')
    return true
  }
  applyHooksRemoval(spec, preview, dependencies)
  context.stdout.write('Done.\n')
  return true
}

/** Whether the app's own tools can be covered and aren't yet. */
export async function offersBuiltIn(app: string, { context, common }: CommandRun): Promise<boolean> {
  const spec = hookSpecOf(app)
  if (!spec) return false
  const place = await placeOf(spec, { context, common })
  return previewHooks(spec, place, files).plan.isChange
}

async function placeOf(spec: HookSpec, { context, common }: CommandRun): Promise<HookPlace> {
  const settings = await openSoundSettings(common)
  try {
    return {
      machine: context,
      launcher: requireLauncher(launcherOf(context, common)),
      url: `http://127.0.0.1:${settings.current.http.port}`,
      token: hookTokenOf(await readAccessToken(common.dataDir), spec.id),
      tools: builtInTools(spec.id),
    }
  } finally {
    settings.close()
  }
}

async function allowRules(spec: HookSpec, { context, common }: CommandRun): Promise<readonly string[]> {
  const readCommand = typedCommand(launcherOf(context, common), ['read'], context)
  return readCommand === undefined ? [] : (spec.allowRules?.({ readCommand, dataDir: common.dataDir }) ?? [])
}

function describe(spec: HookSpec, { tools }: HookPlace, { plan, diff }: HooksPreview): string {
  const { taken } = plan
  const own = tools.filter((tool) => taken.every((one) => one.tool !== tool))
  const others = [...new Set(taken.map(({ by }) => by))].map((by) => {
    const these = taken.filter((one) => one.by === by).map(({ tool }) => tool)
    return `  ${these.join(', ')}: left out, because another product's hook answers there (${by}) and the last one to finish wins. --insist adds Sluice's anyway.`
  })
  return [
    `${spec.label}, its own tools: ${plan.path}`,
    ...(tools.length > 0 ? [`  Outputs of ${own.join(', ') || 'no tool'} pass through Sluice.`] : []),
    ...others,
    ...spec.remarks.map((remark) => `  Note: ${remark}`),
    ...(plan.isChange ? ['', diff] : ['  There is nothing to change.']),
  ].join('\n')
}
