import type { Page } from 'playwright-core'
import type { FilledEngine } from './filled-engine.ts'

/** The screens of a filled engine, open in a browser. */
export interface OpenScreens {
  readonly world: FilledEngine
  readonly page: Page
  /** A configuration that can be imported. */
  readonly importFile: string
  /** Goes to a screen and waits for what only stands there when it is filled. */
  readonly open: (hash: string, filled: string) => Promise<void>
  /** The same as a person's first look: the page is loaded anew, in a window of this width. */
  readonly openAnew: (hash: string, filled: string, width?: number) => Promise<void>
}
