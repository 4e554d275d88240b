import { hasRtlLetter, reorderingScopes, unlawfulScopes } from './invisible-characters.ts'

export interface LineFacts {
  hasRtl(index: number): boolean
  /** Unpaired in its line, or hiding something. */
  scopeIsUnlawful(index: number): boolean
  scopeReorders(index: number): boolean
  movedBack(index: number): boolean
}

/** Caches the last line, because lines are visited in order. */
export function lineFacts(text: string): LineFacts {
  let start = 0
  let end = -1
  let rtl: boolean | undefined
  let unlawful: Uint8Array | undefined
  let reordering: Uint8Array | undefined
  let firstBack: number | undefined
  const moveTo = (index: number): void => {
    if (index >= start && index <= end) return
    start = text.lastIndexOf('\n', Math.max(0, index - 1)) + 1
    const next = text.indexOf('\n', index)
    end = next === -1 ? text.length : next
    rtl = undefined
    unlawful = undefined
    reordering = undefined
    firstBack = undefined
  }
  const line = (): string => text.slice(start, end)
  return {
    hasRtl: (index) => {
      moveTo(index)
      return (rtl ??= hasRtlLetter(line()))
    },
    scopeIsUnlawful: (index) => {
      moveTo(index)
      unlawful ??= unlawfulScopes(line())
      return unlawful[index - start] === 1
    },
    scopeReorders: (index) => {
      moveTo(index)
      reordering ??= reorderingScopes(line())
      return reordering[index - start] === 1
    },
    movedBack: (index) => {
      moveTo(index)
      firstBack ??= firstMoveBack(line())
      return start + firstBack < index
    },
  }
}

function firstMoveBack(line: string): number {
  const found = line.slice(0, line.endsWith('\r') ? -1 : undefined).search(/(?<=[^\r\b])[\r\b]/)
  return found === -1 ? Number.MAX_SAFE_INTEGER : found
}
