/** Blanks are one piece: columns are padded. */
const PIECES = /[^\s=;()[\]{}"'|<>?&.:,/-]+|\s+|[\s\S]/g
/** What joins pieces of one address, path or number. */
const TOKENS = /[^\s=;()[\]{}"'|<>?&,]+/g
const MOST_COMPARED = 12
const GAP = '…'

/**
 * Common part of one kind's messages: pieces shared by all samples stay in their order, a gap is for what is
 * between them. Of a path, an address or a number with a gap nothing stays.
 */
export function sharedText(messages: readonly string[]): string {
  // Most kinds have one line, and few lines a gap of their own.
  if (messages.length === 1 && messages[0]?.includes(GAP) === false) return messages[0]
  const [first = [], ...others] = messages
    .slice(0, MOST_COMPARED)
    .map((message) => message.match(PIECES) ?? [])
  const shared = others.reduce<readonly string[]>(commonPieces, first)
  return shared.join('').replace(TOKENS, closeGaps).replace(REPEATED, GAP)
}

/** Whether a message says all of `shared`, with anything in its gaps; blanks are equal. */
export function fitsShared(shared: string, message: string): boolean {
  const text = foldBlanks(message)
  let at = 0
  return foldBlanks(shared)
    .trim()
    .split(GAP)
    .every((part) => {
      const found = text.indexOf(part, at)
      at = found + part.length
      return found >= 0
    })
}

/** Says whether a message is `shared` from end to end, with anything in its gaps; blanks are equal. */
export function matchShared(shared: string): (message: string) => boolean {
  const [first = '', ...others] = foldBlanks(shared).trim().split(GAP)
  const last = others.pop()
  return (message) => {
    const text = foldBlanks(message).trim()
    if (last === undefined) return text === first
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    for (const part of others) {
      const found = text.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= text.length - last.length
  }
}

const foldBlanks = (text: string): string => (/\s\s|\t/.test(text) ? text.replace(/\s+/g, ' ') : text)

/** With a gap for each piece that the other lacks; of another length, for all between equal ends. */
function commonPieces(own: readonly string[], other: readonly string[]): readonly string[] {
  if (own.length === other.length) return own.map((piece, i) => (isSame(piece, other[i]) ? piece : GAP))
  let start = 0
  while (start < Math.min(own.length, other.length) && isSame(own[start]!, other[start])) start++
  let end = 0
  const most = Math.min(own.length, other.length) - start
  while (end < most && isSame(own.at(-1 - end)!, other.at(-1 - end))) end++
  return [...own.slice(0, start), GAP, ...own.slice(own.length - end)]
}

const isSame = (one: string, other: string | undefined): boolean =>
  one === other || (other !== undefined && one.trim() === '' && other.trim() === '')

const REPEATED = /…(?:[.:,/-]{0,3}…|\s+…(?=[\s.,;)\]]|$))+/g

function closeGaps(token: string): string {
  if (!token.includes(GAP)) return token
  if (token.includes('/')) return token.startsWith('/') ? `/${GAP}` : GAP
  return token.replace(/(?:[^…:]*\d[^…:]*[.:-])?…(?:[.:-][^…:]*\d[^…]*)?/g, GAP)
}
