import { Command } from 'commander'
import { SluiceError } from '../engine/ground/errors.ts'
import { NEW_LINK_PATH } from '../engine/clients/listeners.ts'
import type { CommandSetup } from './cli-context.ts'
import { fetchFromEngine } from './fetch-from-engine.ts'

export const openCommand = ({ context, common }: CommandSetup): Command =>
  new Command('open')
    .description(
      'Print a new link to the screens of the engine that is running. It works once, within ten minutes.',
    )
    .action(async () => {
      context.stdout.write(`${await newBrowserLink(common().dataDir)}\n`)
    })

/** From the running engine. Throws ENGINE_UNREACHABLE. */
export async function newBrowserLink(dataDir: string): Promise<string> {
  try {
    const response = await fetchFromEngine(dataDir, NEW_LINK_PATH, 5_000)
    if (response.ok) return await response.text()
    throw new Error(`it answered ${response.status}`)
  } catch (error) {
    throw new SluiceError(
      'ENGINE_UNREACHABLE',
      `No running engine of the data folder ${dataDir} could be asked. "sluice serve" starts one and prints the link.`,
      { cause: error },
    )
  }
}
