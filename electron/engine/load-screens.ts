import type { ScreensRouter } from './dashboard/router.ts'
import type { ScreensOptions } from './screens/screens-options.ts'

export type LoadScreens = () => Promise<ScreensRouter>

/**
 * What answers the screens. They bring parsers, editors of other apps' files and the contract's library with them, which
 * an engine that nobody looks at never needs: loaded at the first question.
 */
export function createLoadScreens(options: ScreensOptions): LoadScreens {
  let loading: Promise<ScreensRouter> | undefined
  const load = async (): Promise<ScreensRouter> => {
    const [{ createRouter }, { createAnswers }] = await Promise.all([
      import('./dashboard/router.ts'),
      import('./screens/create-answers.ts'),
    ])
    return createRouter(createAnswers(options))
  }
  return () => (loading ??= load())
}
