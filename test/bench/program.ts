import { existsSync } from 'node:fs'
import { CLI_BUILD, CLI_SOURCE } from '../helpers/fresh-build.ts'

/** The measured program: the build, as users run it, or the sources with --sources. */
export interface Program {
  readonly name: 'build' | 'sources'
  /** Node arguments that start `sluice`. */
  readonly cli: string
}

export function programToMeasure(sources: boolean): Program {
  if (sources) return { name: 'sources', cli: CLI_SOURCE }
  if (!existsSync(CLI_BUILD))
    throw new Error('There is no build to measure: npm run build, or measure --sources.')
  return { name: 'build', cli: CLI_BUILD }
}
