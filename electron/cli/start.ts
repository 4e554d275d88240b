import { Command } from 'commander'
import type { CommandSetup } from './cli-context.ts'
import { serve } from './serve.ts'

export const startCommand = ({ context, common }: CommandSetup): Command =>
  new Command('start')
    .description('What `npm start` runs: serves, because the desktop window is not part of this version yet.')
    .addHelpText('after', '\nExample:\n  sluice start')
    .action(async () => {
      context.stdout.write(
        'There is no desktop window in this version yet, so Sluice runs in this terminal; open the address below in a browser. Ctrl+C ends it.\n',
      )
      await serve(context, common(), {})
    })
