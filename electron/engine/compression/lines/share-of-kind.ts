import { isVariableWord } from './mask-line.ts'

const PIECES = /[^\s=;()[\]{}"'|<>?&.:,/-]+|[\s\S]/g
const JOINED = /\*(?:[.,/-]{0,3}\*|\s+\*(?=[\s.,;)\]]|$))+/g
const MOST_COMPARED = 12

/**
 * Common part of one kind's messages: words shared by all samples stay, including numbers; differing places become
 * `*`. If the samples don't align, every word with a digit does.
 */
export function sharedText(messages: readonly string[]): string {
  const [first = '', ...others] = messages
    .slice(0, MOST_COMPARED)
    .map((message) => message.match(PIECES) ?? [])
  const canCompare = others.length > 0 && others.every((pieces) => pieces.length === first.length)
  const pieces = Array.isArray(first) ? first : [first]
  const shown = pieces.map((piece, i) => {
    const isVariable = canCompare
      ? others.some((other) => other[i] !== piece)
      : others.length > 0 && isVariableWord(piece)
    return isVariable && /[^\s]/.test(piece) ? '*' : piece
  })
  return shown.join('').replace(JOINED, '*')
}
