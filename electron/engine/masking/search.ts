import type { findInTexts } from './find-in-texts.ts'
import type { findPersonalData } from './find-personal-data.ts'

/** Patterns load on first use, which speeds up the start. */
export interface Search {
  readonly findInTexts: typeof findInTexts
  readonly findPersonalData: typeof findPersonalData
}

export async function loadSearch(): Promise<Search> {
  const [{ findInTexts }, { findPersonalData }] = await Promise.all([
    import('./find-in-texts.ts'),
    import('./find-personal-data.ts'),
  ])
  return { findInTexts, findPersonalData }
}
