import { createTwoFilesPatch } from 'diff'
import { hideInLine } from '../ground/secrets/hide-secrets.ts'
import type { ClientSpec } from './client-spec.ts'
import type { ParsedConfig } from './formats/config-format.ts'
import { placesIn } from './list-servers.ts'
import type { LoadedFile } from './load-client-file.ts'
import { redactText } from './redact-text.ts'

/** Files of one line are common; a change must be seen whole. */
const LONGEST_LINE = 20_000
const CONTEXT = 3

export function describeChange(
  { path, text, parsed, format }: LoadedFile,
  changed: { readonly text: string; readonly parsed: ParsedConfig },
  client: ClientSpec,
  title: string,
): string {
  const places = [...placesIn(parsed.value, client), ...placesIn(changed.parsed.value, client)]
  return describeDiff(
    path,
    redactText(text, parsed, format, places),
    redactText(changed.text, changed.parsed, format, places),
    title,
  )
}

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
