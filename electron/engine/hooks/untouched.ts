import type { JsonObject } from '../protocol/json-rpc.ts'
import { detectKind } from '../text/kinds/detect-kind.ts'
import { commandsOf, type SimpleCommand } from './command-line.ts'
import { textOf } from './payload.ts'

const commandOf = (input: JsonObject | undefined): string => textOf(input, 'command') ?? ''

interface OwnOutput {
  readonly ids: readonly string[]
  /** No other command printed, too, but those that it was piped to. */
  readonly isAll: boolean
}

/** What `sluice` itself printed, and the results that it read. */
export function readBySluice(input: JsonObject | undefined): OwnOutput | undefined {
  const command = commandOf(input)
  const own = commandsOf(command).some(({ program }) => program === 'sluice')
  const isRun =
    own || /\belectron[\\/]cli\.[jt]s['"]?\s+(?:--data-dir\s+(?:'[^']*'|"[^"]*"|\S+)\s+)?read\b/.test(command)
  if (!isRun) return undefined
  const unquoted = command.trim().replaceAll(/'[^']*'|"(?:[^"\\]|\\.)*"|\d?>&\d/gs, '')
  return { ids: command.match(/\b[rq]_[A-Za-z0-9_-]+/g) ?? [], isAll: !/[;&\n]|\|\|/.test(unquoted) }
}

/** Has a header or note of Sluice. */
export const isMarked = (texts: readonly string[]): boolean =>
  texts.some((text) => /^\[(?:Compressed: \d+→|Sluice[ :])/m.test(text))

/** Programs that print files. */
const PRINTS = /^(?:cat|head|tail|sed|nl|bat|less|more|awk|type|Get-Content|gc)$/i

/** What the model gets whole, whatever its length. */
export const isExact = (input: JsonObject | undefined, text: string): boolean =>
  isPathList(input, text) || isSourceFile(input, text)

/** An edit that follows needs its exact characters. */
function isSourceFile(input: JsonObject | undefined, text: string): boolean {
  const programs = commandsOf(commandOf(input)).map(({ program }) => program)
  return programs.length > 0 && programs.every((program) => PRINTS.test(program) || program === 'cd')
    ? detectKind(text) === 'code'
    : false
}

/** A path that isn't shown isn't opened: a list of paths passes whole, from any program. */
function isPathList(input: JsonObject | undefined, text: string): boolean {
  if (isListed(commandOf(input))) return true
  const lines = text.split(/[\n\0]/).filter((line) => line.trim() !== '')
  if (lines.length < 3) return false
  const paths = lines.filter((line) => PATH.test(line.trim()))
  return paths.length >= lines.length * MOSTLY || detectKind(text) === 'file-list'
}

const MOSTLY = 0.8
/** Perhaps after Git's two letters of a state; in quotes with any character. */
const PATH =
  /^(?:[ MADRCU?!]{1,2}\s+)?(?:(?:[A-Za-z]:)?(?:\.{0,2}[\\/])?[\p{L}\p{M}\p{N}_@.+~()[\]{}=,-]+(?:[\\/][\p{L}\p{M}\p{N}_@.+~()[\]{}=, -]*)+|"[^"\s]*[\\/][^"]*")$/u

/** Programs that print names of files, and what passes lines on. */
const LISTS = /^(?:ls|ll|dir|tree|exa|eza|find|fd|fdfind|locate|du|Get-ChildItem|gci)$/i
const PASSES_ON = /^(?:sort|uniq|head|tail|tac)$/
const LISTS_OF_GIT = /^(?:ls-files|ls-tree|status|--name-only|--name-status)$/
/** Other programs run for each file. */
const RUNS = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/

function isListed(command: string): boolean {
  const commands = commandsOf(command).filter(({ program }) => program !== 'cd')
  return commands.length > 0 && commands.every((one, index) => lists(one) || (index > 0 && passesOn(one)))
}

const has = ({ words }: SimpleCommand, pattern: RegExp): boolean =>
  words.some(({ text }) => pattern.test(text))

const lists = (command: SimpleCommand): boolean =>
  command.program === 'git' ? has(command, LISTS_OF_GIT) : LISTS.test(command.program) && !has(command, RUNS)

/** Without a file of its own. */
const passesOn = ({ program, words }: SimpleCommand): boolean =>
  PASSES_ON.test(program) && words.every(({ text }) => /^(?:-.*|\d+)$/s.test(text))
