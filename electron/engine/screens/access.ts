import { createAdmittedBrowsers } from './http/admitted-browsers.ts'
import type { Answers } from './http/answers.ts'
import type { ScreensOptions } from './screens-options.ts'

export function createAccessAnswers(options: ScreensOptions): Answers['access'] {
  const browsers = createAdmittedBrowsers(options)
  return {
    browsers: () => browsers.list(),
    revoke: ({ id }) => ({ revoked: browsers.revoke([id]) > 0 }),
  }
}
