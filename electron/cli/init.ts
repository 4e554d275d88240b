import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { makeFolder } from '../engine/ground/files/make-folder.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import type { CommandSetup } from './cli-context.ts'

export const initCommand = ({ context, common }: CommandSetup): Command =>
  new Command('init')
    .description('Write a commented config.json to start from. An existing one is never touched.')
    .addHelpText('after', '\nExamples:\n  sluice init\n  sluice init --data-dir ./sluice-data')
    .action(async () => {
      const { settingsJsonSchema } = await import('../engine/settings/settings-json-schema.ts')
      const { CONFIG_FILE, SCHEMA_FILE } = await import('../engine/settings/settings-store.ts')
      const { readConfig } = await import('../engine/settings/read-config.ts')
      const { STARTER_CONFIG } = await import('../engine/settings/starter-config.ts')
      const { writeFileAtomically } = await import('../engine/ground/files/write-file-atomically.ts')
      const { findSocketAddress } = await import('../engine/clients/transports/socket-address.ts')
      const { reachEngine } = await import('./doctor/check-engine.ts')
      const { dataDir } = common()
      const path = join(dataDir, CONFIG_FILE)
      makeFolder(dataDir)
      try {
        // "wx" fails if the file exists, even if just created.
        writeFileSync(path, STARTER_CONFIG, { flag: 'wx', mode: 0o600 })
      } catch (error) {
        if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
        // Says why, if it isn't one to edit.
        readConfig(path)
        throw new SluiceError(
          'SETTINGS_EXISTS',
          `${path} is there already and was not touched. Edit that one.`,
        )
      }
      writeFileAtomically(join(dataDir, SCHEMA_FILE), settingsJsonSchema(), 0o644)
      const socket = findSocketAddress({ ...context, dataDir })
      const serving =
        (await reachEngine(socket)) === 'answers'
          ? 'The Sluice that runs reads it at once'
          : '`sluice serve` runs Sluice'
      context.stdout.write(
        `${path}\n\nNext: add a server to it, then \`sluice doctor\` tells whether it starts. ${serving}.\n`,
      )
    })
