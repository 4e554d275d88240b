import type { Page } from 'playwright-core'
import type { FilledEngine } from './filled-engine.ts'

/** Of a filled engine, in a browser. */
export interface OpenScreens {
  readonly world: FilledEngine
  readonly page: Page
  /** Importable. */
  readonly importFile: string
  /** Waits for an element that only a filled screen has. */
  readonly open: (hash: string, filled: string) => Promise<void>
  /** Loads the page in a window of this width. */
  readonly openAnew: (hash: string, filled: string, width?: number) => Promise<void>
}
