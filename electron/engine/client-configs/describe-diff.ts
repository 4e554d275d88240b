import { createTwoFilesPatch } from 'diff'
import { hideInLine } from '../ground/secrets/hide-secrets.ts'

const LONGEST_LINE = 500
/** Lines around a change. */
const CONTEXT = 3

/** A unified diff. Both texts come without secrets; secrets in comments are hidden here. */
export function describeDiff(path: string, before: string, after: string, title: string): string {
  if (before === after) return ''
  return createTwoFilesPatch(path, path, before, after, undefined, title, { context: CONTEXT })
    .split('\n')
    .filter((line) => !/^(?:=+|Index: .*)$/.test(line))
    .map((line) => hideInLine(shorten(line.replace(/\r$/, ''))))
    .join('\n')
}

const shorten = (line: string): string =>
  line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
