import { Command } from 'commander'
import type { CommandSetup } from './cli-context.ts'
import { runHook } from './run-hook.ts'

const EXAMPLES = `
An AI app runs this command as its hook, with the event's JSON on stdin. It asks the running engine
and prints one JSON object. Without an engine it prints {}, and the app goes on as without Sluice.
\`sluice wrap APP --built-in\` writes the hooks. See docs/built-in-tools.md.

Examples:
  sluice hook gemini-cli AfterTool < event.json
  sluice hook copilot-cli postToolUse < event.json`

export const hookCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('hook')
    .description("Answer a hook of an AI app, for the app's own tools.")
    .argument('<app>', 'such as claude-code, codex, gemini-cli, copilot-cli, opencode, cursor')
    .argument('<event>', "the event's name, as the app spells it")
    .addHelpText('after', EXAMPLES)
    .action(async (app: string, event: string) =>
      end(await runHook({ app, event, common: common() }, context)),
    )
