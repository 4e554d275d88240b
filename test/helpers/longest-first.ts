import { relative } from 'node:path'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** Their tests mostly wait for processes. */
export const WAITING = [
  'test/soak/',
  'test/e2e/',
  'test/packaging/',
  'test/cli/',
  'test/conformance/',
  'test/app/',
  'test/electron/',
]

/** Half a minute and more each, the longest first: none of them may run alone at the end. */
const LONGEST = [
  'test/e2e/screens/screens.test.ts',
  'test/e2e/third-party-clients.test.ts',
  'test/packaging/packed-app.test.ts',
  'test/soak/',
  'test/e2e/ends.test.ts',
  'test/electron/desktop-troubles.test.ts',
  'test/e2e/approvals.test.ts',
  'test/electron/desktop.test.ts',
  'test/e2e/screens/',
  'test/cli/wrap-review.test.ts',
  'test/e2e/',
  'test/conformance/',
  'test/electron/',
  'test/renderer/state/live.test.ts',
  'test/engine/models/local-model.test.ts',
]

/** Then a project at a time, because its files share processes; what computes, which is the most and the shortest, last. */
const PROJECTS = ['programs', 'alone', 'parts', 'pages', 'engine']

/** Of those that compute: a quarter of a minute and more. */
const LONG = [
  'test/engine/models/',
  'test/engine/clients/',
  'test/engine/screens/',
  'test/engine/servers/',
  'test/engine/client-configs/',
]

/** Long files start first. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = relative(this.ctx.config.root, moduleId).replaceAll('\\', '/')
      const placeIn = (list: readonly string[]): number => {
        const found = list.findIndex((start) => place.startsWith(start))
        return found === -1 ? list.length : found
      }
      const first = placeIn(LONGEST)
      if (first < LONGEST.length) return first
      return LONGEST.length + PROJECTS.indexOf(project.name) * (LONG.length + 1) + placeIn(LONG)
    }
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
