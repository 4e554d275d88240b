import type { modelsOptions } from './create-models.ts'
import type { Models } from './models.ts'

/** Loads models on first use: most engines never need them. */
export interface LoadModels {
  /** Rejects with BAD_INPUT while the user's model list is invalid. */
  load(): Promise<Models>
  /** Ends downloads and the model process. Idempotent. */
  close(): Promise<void>
}

export function createLoadModels(options: Parameters<typeof modelsOptions>[0]): LoadModels {
  let loading: Promise<Models> | undefined
  const open = async (): Promise<Models> => {
    const [joined, { createModels }] = await Promise.all([
      import('./create-models.ts'),
      import('./models.ts'),
    ])
    return createModels(joined.modelsOptions(options))
  }
  return {
    load: () => {
      if (loading) return loading
      const opening = open()
      loading = opening
      // The user may correct what was wrong.
      opening.catch(() => (loading = undefined))
      return opening
    },
    close: async () => {
      const models = await loading?.catch(() => undefined)
      await models?.close()
    },
  }
}
