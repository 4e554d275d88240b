import { SluiceError } from '../ground/errors.ts'

/**
 * The words of one POSIX command line: quotes, escapes and continued lines, nothing expanded. Throws BAD_INPUT for an
 * open quote and for operators, because a server is one program without a shell.
 */
export function shellWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  const source = line.replaceAll(/\\\r?\n\s*/g, ' ')
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at)
    if (char === "'" || char === '"') {
      const end = closing(source, at, char)
      const inner = source.slice(at + 1, end)
      word = (word ?? '') + (char === '"' ? inner.replaceAll(/\\(["\\$`])/g, '$1') : inner)
      at = end
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (/[|;<>()`]/.test(char) || (char === '&' && /^&(?:&|\s|$)/.test(source.slice(at)))) {
      throw new SluiceError(
        'BAD_INPUT',
        `A server is started without a shell, and this line has "${char}". Paste only the command of the server itself.`,
      )
    } else if (char === '\\' && at + 1 < source.length) word = (word ?? '') + source.charAt(++at)
    else word = (word ?? '') + char
  }
  return word === undefined ? words : [...words, word]
}

function closing(source: string, open: number, quote: string): number {
  for (let at = open + 1; at < source.length; at++) {
    if (source[at] === '\\' && quote === '"') at++
    else if (source[at] === quote) return at
  }
  throw new SluiceError('BAD_INPUT', `This command has a ${quote} that isn't closed.`)
}
