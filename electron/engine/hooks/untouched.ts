import type { JsonObject } from '../protocol/json-rpc.ts'
import { detectKind } from '../text/kinds/detect-kind.ts'
import { commandsOf } from './command-line.ts'
import { textOf } from './payload.ts'

const commandOf = (input: JsonObject | undefined): string => textOf(input, 'command') ?? ''

/** What `sluice` itself printed, and the results that it read. */
export function readBySluice(input: JsonObject | undefined): { readonly ids: readonly string[] } | undefined {
  const command = commandOf(input)
  const own = commandsOf(command).some(({ program }) => program === 'sluice')
  const isRun = own || /\belectron[\\/]cli\.[jt]s['"]?\s+read\b/.test(command)
  return isRun ? { ids: command.match(/\br_[A-Za-z0-9_-]+/g) ?? [] } : undefined
}

/** Has a header or note of Sluice. */
export const isMarked = (texts: readonly string[]): boolean =>
  texts.some((text) => /^\[(?:Compressed: \d+→|Sluice[ :])/m.test(text))

/** Programs that print files. */
const PRINTS = /^(?:cat|head|tail|sed|nl|bat|less|more|awk|type|Get-Content|gc)$/i

/** An edit that follows needs its exact characters. */
export function isSourceFile(input: JsonObject | undefined, text: string): boolean {
  const programs = commandsOf(commandOf(input)).map(({ program }) => program)
  return programs.length > 0 && programs.every((program) => PRINTS.test(program) || program === 'cd')
    ? detectKind(text) === 'code'
    : false
}

/** A path that isn't shown isn't opened: a list of paths passes whole, from any program. */
export function isPathList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 3) return false
  const paths = lines.filter((line) => PATH.test(line.trim()))
  return paths.length >= lines.length * MOSTLY
}

const MOSTLY = 0.8
/** Perhaps after Git's two letters of a state. */
const PATH =
  /^(?:[ MADRCU?!]{1,2}\s+)?(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?[\w@.+~()[\]{}=,-]+(?:[\\/][\w@.+~()[\]{}=, -]*)+$/
