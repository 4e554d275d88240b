import { Command } from 'commander'
import { SluiceError } from '../engine/errors.ts'
import type { CommandSetup } from './cli-context.ts'
import { newBrowserLink } from './open.ts'
import { serve } from './serve.ts'

export const startCommand = ({ context, common }: CommandSetup): Command =>
  new Command('start')
    .description('What `npm start` runs: serves, because the desktop window is not part of this version yet.')
    .addHelpText('after', '\nExample:\n  sluice start')
    .action(async () => {
      context.stdout.write(
        'There is no desktop window in this version yet, so Sluice runs in this terminal; open the address below in a browser. Ctrl+C ends it.\n',
      )
      try {
        await serve(context, common(), {})
      } catch (error) {
        if (!(error instanceof SluiceError) || error.code !== 'ENGINE_RUNNING') throw error
        context.stdout.write(
          `Sluice runs already on ${common().dataDir}. A new link to its screens:\n  ${await newBrowserLink(common().dataDir)}\n`,
        )
      }
    })
