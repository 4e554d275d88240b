import type { Strategy } from '../strategy.ts'
import type { ContentKind } from '../../text/kinds/content-kinds.ts'
import { jsonStrategy } from './json.ts'
import { codeStrategy } from './code.ts'
import { diffStrategy } from './diff.ts'
import { fileListStrategy } from './file-list.ts'
import { htmlStrategy } from './html.ts'
import { linesStrategy, logStrategy } from './log.ts'
import { previewStrategy } from './preview.ts'
import { markdownStrategy, proseStrategy } from './documents.ts'
import { recordsStrategy } from './records.ts'
import { snapshotStrategy } from './snapshot.ts'

/** Strategies for a shared kind are tried in this order. One line each. */
export const strategies: readonly Strategy[] = [
  jsonStrategy,
  codeStrategy,
  logStrategy,
  diffStrategy,
  fileListStrategy,
  recordsStrategy,
  snapshotStrategy,
  htmlStrategy,
  markdownStrategy,
  linesStrategy,
  proseStrategy,
  previewStrategy,
]

export const strategiesFor = (kind: ContentKind): readonly Strategy[] =>
  strategies.filter((strategy) => strategy.kinds.includes(kind))

export const strategyNamed = (name: string): Strategy | undefined =>
  strategies.find((strategy) => strategy.name === name)
