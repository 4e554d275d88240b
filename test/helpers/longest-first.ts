import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Their tests mostly wait for processes; longest files first. */
export const WAITING = [
  'test/soak/',
  'test/e2e/',
  'test/packaging/',
  'test/cli/',
  'test/conformance/',
  'test/app/',
]

/** A minute and more each: first, so that none runs alone at the end. */
const LONGEST = ['test/soak/', 'test/e2e/third-party-clients.test.ts', 'test/e2e/screens/', ...WAITING]

/** Long files start first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/')
      const found = LONGEST.findIndex((start) => place.startsWith(start))
      return found === -1 ? LONGEST.length : found
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
