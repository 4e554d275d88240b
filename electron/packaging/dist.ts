import { distUsage, readDistSettings, type DistSettings } from './dist-settings.ts'
import { pack } from './pack.ts'

if (process.argv.includes('--help')) process.stdout.write(distUsage)
else await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<void> {
  let settings: DistSettings
  try {
    settings = readDistSettings(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${distUsage}`)
    process.exitCode = 2
    return
  }
  try {
    const made = await pack(settings)
    process.stdout.write(made.map((path) => `${path}\n`).join(''))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `Nothing was packed: ${why}\nElectron's runtime and the tools for installers come from the network at the first time.\n`,
    )
    process.exitCode = 1
  }
}
