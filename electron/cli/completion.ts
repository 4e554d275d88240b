import { Argument, Command } from 'commander'
import type { CommandSetup } from './cli-context.ts'

const HELP = `
Completes commands, options, their choices, and files. Restart the shell, or read its file again, after that.

Examples:
  sluice completion bash >> ~/.bashrc
  sluice completion zsh > ~/.zfunc/_sluice     with that folder in $fpath, before compinit
  sluice completion fish > ~/.config/fish/completions/sluice.fish`

export const completionCommand = ({ context, wholeProgram }: CommandSetup): Command =>
  new Command('completion')
    .description('Print the completion script of a shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', HELP)
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion/completion-script.ts')
      context.stdout.write(completionScript(shell, await wholeProgram()))
    })
