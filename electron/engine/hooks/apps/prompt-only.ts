import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { HookApp } from '../hook-event.ts'
import { objectOf, textOf } from '../payload.ts'

interface PromptHook {
  readonly id: string
  readonly event: string
  readonly session: string
  readonly prompt: (payload: JsonObject) => string | undefined
  readonly folder?: (payload: JsonObject) => unknown
}

const firstIn = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)

/** Their hooks can't replace an output: the user's request is the goal of MCP calls. */
const PROMPT_HOOKS: readonly PromptHook[] = [
  // https://cursor.com/docs/hooks
  {
    id: 'cursor',
    event: 'beforeSubmitPrompt',
    session: 'conversation_id',
    prompt: (payload) => textOf(payload, 'prompt'),
    folder: (payload) => firstIn(payload['workspace_roots']),
  },
  // Seen in runs of 0.24.4.
  {
    id: 'qwen-code',
    event: 'UserPromptSubmit',
    session: 'session_id',
    prompt: (payload) => textOf(payload, 'prompt'),
    folder: (payload) => payload['cwd'],
  },
  // https://docs.cline.bot/features/hooks/hook-reference
  {
    id: 'cline',
    event: 'UserPromptSubmit',
    session: 'taskId',
    prompt: (payload) => textOf(objectOf(payload, 'userPromptSubmit'), 'prompt'),
    folder: (payload) => firstIn(payload['workspaceRoots']),
  },
  // https://docs.windsurf.com/windsurf/cascade/hooks
  {
    id: 'windsurf',
    event: 'pre_user_prompt',
    session: 'trajectory_id',
    prompt: (payload) => textOf(objectOf(payload, 'tool_info'), 'user_prompt'),
  },
]

export const promptOnlyApps: readonly HookApp[] = PROMPT_HOOKS.map(({ id, event, ...of }) => ({
  id,
  read: (name, payload) => {
    const [session, prompt] = [textOf(payload, of.session), of.prompt(payload)]
    if (name !== event || session === undefined || prompt === undefined) return undefined
    const folder = of.folder?.(payload)
    return { kind: 'prompt', session, prompt, folder: typeof folder === 'string' ? folder : undefined }
  },
}))
