import type { Answers } from './http/answers.ts'
import type { ScreensRouter } from './http/router.ts'
import type { ScreensOptions } from './screens-options.ts'

interface Screens {
  readonly answers: Answers
  readonly router: ScreensRouter
}

export type LoadScreens = () => Promise<Screens>

/** An engine without viewers doesn't need their parsers, config editors and contract library. */
export function createLoadScreens(options: ScreensOptions): LoadScreens {
  let loading: Promise<Screens> | undefined
  const load = async (): Promise<Screens> => {
    const [{ createRouter }, { createAnswers }] = await Promise.all([
      import('./http/router.ts'),
      import('./create-answers.ts'),
    ])
    const answers = createAnswers(options)
    return { answers, router: createRouter(answers) }
  }
  return () => (loading ??= load())
}
