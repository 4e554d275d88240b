import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CLI } from '../helpers/run-cli.ts'

/** What is measured: the build, because that is what people run, or the sources with --sources. */
export interface Program {
  readonly name: 'build' | 'sources'
  /** Arguments to Node that start `sluice`. */
  readonly cli: string
}

export function programToMeasure(sources: boolean): Program {
  if (sources) return { name: 'sources', cli: CLI }
  const cli = resolve(import.meta.dirname, '../../dist/electron/cli.js')
  if (!existsSync(cli)) throw new Error('There is no build to measure: npm run build, or measure --sources.')
  return { name: 'build', cli }
}
