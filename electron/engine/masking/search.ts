import type { findInTexts } from './find-in-texts.ts'
import type { findPersonalData } from './find-personal-data.ts'

/** What finds personal data. Its patterns are loaded when something is masked: a start without them is quicker. */
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
