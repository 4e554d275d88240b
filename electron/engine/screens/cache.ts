import type { Answers } from './http/answers.ts'
import type { ScreensOptions } from './screens-options.ts'

export function createCacheAnswers({ cache, settings, logger }: ScreensOptions): Answers['cache'] {
  const { store } = cache
  return {
    list: ({ server }) => ({ ...store.totals(), ...settings.current.cacheLimits, tools: store.list(server) }),
    clear: ({ server }) => {
      const cleared = store.clear(server)
      logger.info('the cache was cleared', { ...(server === undefined ? {} : { server }), entries: cleared })
      return { cleared }
    },
  }
}
