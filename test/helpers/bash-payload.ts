import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'

/** As Claude Code 2.1.330 sends it after a command. `response` and `call` change or add fields. */
export const bashPayload = (
  stdout: string,
  response: JsonObject = {},
  call: JsonObject = {},
): JsonObject => ({
  session_id: 'b6c9a2f0',
  transcript_path: '/none/b6c9a2f0.jsonl',
  cwd: '/work',
  prompt_id: 'p1',
  permission_mode: 'default',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_use_id: 'toolu_1',
  tool_input: { command: 'npm run build', description: 'Build' },
  tool_response: {
    stdout,
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: false,
    ...response,
  },
  duration_ms: 41_200,
  ...call,
})
