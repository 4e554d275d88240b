export const CONTENT_KINDS = [
  'json',
  'table',
  'data',
  'log',
  'code',
  'html',
  'markdown',
  'prose',
  'diff',
  'file-list',
  'test-report',
  'snapshot',
  'binary',
] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]
