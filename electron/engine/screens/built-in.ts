import type { HooksRequest } from '../../../shared/api/built-in.ts'
import { SluiceError } from '../ground/errors.ts'
import { requireLauncher } from '../client-configs/entries/sluice-entry.ts'
import { hookSpecNamed } from '../client-configs/hooks/hook-specs.ts'
import type { HookSpec } from '../client-configs/hooks/hook-spec.ts'
import {
  applyHooks,
  applyHooksRemoval,
  previewHooks,
  previewHooksRemoval,
  type HooksPreview,
} from '../client-configs/hooks/wrap-hooks.ts'
import { hashOf } from '../client-configs/load-client-file.ts'
import { nodeClientFiles as files } from '../client-configs/node-client-files.ts'
import { readAccessToken } from '../clients/transports/access-token.ts'
import { hookTokenOf } from '../clients/transports/hook-token.ts'
import { typedCommand } from '../clients/typed-command.ts'
import { builtInTools } from '../settings/built-in-policy.ts'
import { NO_LAUNCHER } from './no-launcher.ts'
import type { Answers } from './http/answers.ts'
import type { ScreensOptions } from './screens-options.ts'

/** The hooks of apps' own tools. */
export function createBuiltInAnswers(options: ScreensOptions): Answers['builtIn'] {
  const { dataDir, now, platform, homeDir, env, settings, hooks } = options
  const machine = { platform, homeDir, env }
  const dependencies = { files, dataDir, now }
  const rulesOf = (spec: HookSpec): readonly string[] => {
    const readCommand = typedCommand(options.launcher, ['read'], options)
    return readCommand === undefined ? [] : (spec.allowRules?.({ readCommand, dataDir }) ?? [])
  }
  const previewOf = async ({ client, undo, insists }: HooksRequest): Promise<[HookSpec, HooksPreview]> => {
    const spec = hookSpecNamed(client)
    if (undo) return [spec, previewHooksRemoval(spec, spec.file(machine), dependencies)]
    const place = {
      machine,
      launcher: requireLauncher(options.launcher ?? NO_LAUNCHER),
      url: `http://127.0.0.1:${settings.current.http.port}`,
      token: hookTokenOf(await readAccessToken(dataDir), client),
      tools: builtInTools(client),
    }
    return [spec, previewHooks(spec, place, files, { insists })]
  }
  return {
    preview: async (wanted) => {
      const [spec, preview] = await previewOf(wanted)
      const { plan, isExact, diff } = preview
      return {
        label: spec.label,
        path: plan.path,
        tools: [...builtInTools(wanted.client)],
        taken: plan.taken.map((one) => ({ ...one })),
        remarks: [...spec.remarks],
        rules: wanted.undo ? [] : [...rulesOf(spec)],
        isChange: plan.isChange,
        isExact,
        diff,
        ...hashesOf(preview),
      }
    },
    change: async ({ hash, resultHash, ...wanted }) => {
      const [spec, preview] = await previewOf(wanted)
      const { path } = preview.plan
      const seen = hashesOf(preview)
      if (seen.hash !== hash || seen.resultHash !== resultHash)
        throw new SluiceError(
          'CLIENT_FILE_CHANGED',
          `${path} was changed after the preview, so nothing was written. Look at the change again.`,
        )
      if (wanted.undo) applyHooksRemoval(spec, preview, dependencies)
      else {
        applyHooks(spec, preview, dependencies)
        hooks.opened()
      }
      return { path }
    },
    switchOn: ({ client, tool }) => hooks.switchOn(client, tool),
  }
}

/** Of the file now and after the change. */
const hashesOf = ({ plan: { file, bytes } }: HooksPreview): { hash: string; resultHash: string } => ({
  hash: file?.hash ?? '',
  resultHash: bytes ? hashOf(bytes) : '',
})
