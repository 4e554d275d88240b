import { isVariableWord } from './mask-line.ts'

const PIECES = /[^\s=;()[\]{}"'|<>?&.:,/-]+|[\s\S]/g
/** What joins pieces of one address, path or number. */
const TOKENS = /[^\s=;()[\]{}"'|<>?&,]+/g
const MOST_COMPARED = 12
const GAP = '…'

/**
 * Common part of one kind's messages: words shared by all samples stay, a gap stands for each other. If the samples
 * don't align, every word with a digit is one. Of a path, an address or a number with a gap nothing stays.
 */
export function sharedText(messages: readonly string[]): string {
  // Most kinds have one line, and few lines a gap of their own.
  if (messages.length === 1 && messages[0]?.includes(GAP) === false) return messages[0]
  const [first = '', ...others] = messages
    .slice(0, MOST_COMPARED)
    .map((message) => message.match(PIECES) ?? [])
  const canCompare = others.length > 0 && others.every((pieces) => pieces.length === first.length)
  const pieces = Array.isArray(first) ? first : [first]
  const shown = pieces.map((piece, i) => {
    const isVariable = canCompare
      ? others.some((other) => other[i] !== piece)
      : others.length > 0 && isVariableWord(piece)
    return isVariable && /[^\s]/.test(piece) ? GAP : piece
  })
  return shown.join('').replace(TOKENS, closeGaps).replace(REPEATED, GAP)
}

const REPEATED = /…(?:[.:,/-]{0,3}…|\s+…(?=[\s.,;)\]]|$))+/g

function closeGaps(token: string): string {
  if (!token.includes(GAP)) return token
  if (token.includes('/')) return token.startsWith('/') ? `/${GAP}` : GAP
  return token.replace(/(?:[^…:]*\d[^…:]*[.:-])?…(?:[.:-][^…:]*\d[^…]*)?/g, GAP)
}
