import * as fc from 'fast-check'
import { rounds, SEED } from './rounds.ts'

// fast-check as all tests use it.

if (SEED !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED })

export * from 'fast-check'

/** As fast-check's, with `rounds` of its inputs. A failure prints its seed. */
export function assert<Ts>(property: fc.IAsyncProperty<Ts>, parameters?: fc.Parameters<Ts>): Promise<void>
export function assert<Ts>(property: fc.IProperty<Ts>, parameters?: fc.Parameters<Ts>): void
export function assert<Ts>(
  property: fc.IRawProperty<Ts>,
  { numRuns = 100, ...parameters }: fc.Parameters<Ts> = {},
): Promise<void> | void {
  return fc.assert(property, { ...parameters, numRuns: rounds(numRuns) })
}
