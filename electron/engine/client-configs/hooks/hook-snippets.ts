import { posix, win32 } from 'node:path'
import type { Machine } from '../../ground/surroundings.ts'
import { appNamed } from '../../settings/known-apps.ts'
import { hookCommand } from './hook-command.ts'
import type { HookPlace } from './hook-spec.ts'

type SnippetPlace = Pick<HookPlace, 'machine' | 'launcher'>

/** For a file that Sluice doesn't write, because the app wasn't run with it. */
export interface HookSnippet {
  readonly id: string
  readonly label: string
  readonly file: (machine: Machine) => string
  readonly text: (place: SnippetPlace) => string
  readonly remark?: string
}

const inHome =
  (...names: readonly string[]) =>
  ({ platform, homeDir }: Machine): string =>
    (platform === 'win32' ? win32 : posix).join(homeDir, ...names)

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** None of these apps lets a hook replace an output: what you ask becomes the goal of MCP calls. */
const hookSnippets: readonly HookSnippet[] = [
  {
    ...appNamed('qwen-code'),
    file: inHome('.qwen', 'settings.json'),
    text: (place) => {
      const command = hookCommand(place, 'qwen-code', 'UserPromptSubmit')
      return json({
        hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command, timeout: 3_000 }] }] },
      })
    },
  },
  {
    ...appNamed('windsurf'),
    file: inHome('.codeium', 'windsurf', 'hooks.json'),
    text: (place) => {
      const command = hookCommand(place, 'windsurf', 'pre_user_prompt')
      return json({ hooks: { pre_user_prompt: [{ command, show_output: false }] } })
    },
  },
  {
    ...appNamed('cline'),
    file: inHome('Documents', 'Cline', 'Hooks', 'UserPromptSubmit'),
    text: (place) => `#!/bin/sh\nexec ${hookCommand(place, 'cline', 'UserPromptSubmit', 'sh')}`,
    remark: 'Make the file executable, and switch on "Enable Hooks" in Cline\'s settings.',
  },
]

export const hookSnippetOf = (app: string): HookSnippet | undefined =>
  hookSnippets.find(({ id }) => id === app)
