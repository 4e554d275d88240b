import type { Answers } from './http/answers.ts'
import type { ScreensRouter } from './http/router.ts'
import type { ScreensOptions } from './screens-options.ts'

export interface Screens {
  readonly answers: Answers
  /** The same, behind the contract. */
  readonly router: ScreensRouter
}

export type LoadScreens = () => Promise<Screens>

/**
 * What answers the screens. They bring parsers, editors of other apps' files and the contract's library with them, which
 * an engine that nobody looks at never needs: loaded at the first question.
 */
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
