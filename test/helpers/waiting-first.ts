import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Folders whose tests mostly wait for processes of their own, some for minutes. */
const WAITING = ['test/e2e/', 'test/electron/', 'test/packaging/', 'test/cli/', 'test/app/']

/** The tests that take minutes start first, so that none is left alone at the end while the other workers idle. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/')
      const found = WAITING.findIndex((folder) => place.startsWith(folder))
      return found === -1 ? WAITING.length : found
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
