function closingBracket(source: string, open: number): number {
  let quote: string | undefined
  let depth = 0
  for (let at = open; at < source.length; at++) {
    const character = source[at]
    if (quote !== undefined) {
      if (character === '\\') at++
      else if (character === quote) quote = undefined
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return at
  }
  return source.length
}

/** Needs no quotes in JSONPath. */
const SHORTHAND = /^[\p{L}_\u0080-\uffff][\p{L}\p{N}_\u0080-\uffff]*$/u

/** `user.first-name`, `items[].id`, `**.id` become `$.user["first-name"]`, `$.items[*].id`, `$..id`. */
export function toJsonPath(path: string): string {
  const source = path.trim()
  let written = '$'
  // A field may be called $ref.
  const hasRoot = /^\$(?![^\s.[])/.test(source)
  let dots = hasRoot || source.startsWith('[') ? '' : '.'
  for (let at = hasRoot ? 1 : 0; at < source.length;) {
    if (source[at] === '[') {
      const end = closingBracket(source, at)
      const bracket = source.slice(at, end + 1)
      written += (dots === '..' ? '..' : '') + (/^\[\s*\]$/.test(bracket) ? '[*]' : bracket)
      at = end + 1
      dots = ''
    } else if (/\s/.test(source.charAt(at))) at++
    else if (source[at] === '.') {
      dots = dots === '' || at === 0 ? '.' : '..'
      at++
    } else {
      const [name = ''] = /^[^.[]+/.exec(source.slice(at)) ?? []
      at += name.length
      if (name === '**') {
        dots = '..'
        if (at >= source.length) written += '..*'
        else if (source[at] === '.') at++
        continue
      }
      const isPlain = SHORTHAND.test(name) || name.includes('*')
      const before = dots === '' ? '.' : dots
      written += isPlain ? before + name : `${dots === '..' ? '..' : ''}[${JSON.stringify(name.trim())}]`
      dots = ''
    }
  }
  return dots === '' || written !== '$' ? written + (source.endsWith('.') ? '.' : '') : source
}

const QUOTED = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g

export const withoutTexts = (source: string): string => source.replaceAll(QUOTED, '""')

export function isBareCondition(source: string): boolean {
  const outside = withoutTexts(source)
  let depth = 0
  for (const character of outside) {
    if (character === '[') depth++
    else if (character === ']') depth--
    else if (depth === 0 && /[=<>]/.test(character)) return true
  }
  return /^[^[\]]+\s(?:contains|matches)\s/i.test(outside)
}

const PARTS =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?!(?:not|and|or)\b)\b\p{L}+\()|((?:[@$]\.?)?[\p{L}_][\p{L}\p{N}_.@$-]*)(?:\s*(?:\b(?:contains|matches)\b|=~)\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/[^/]+\/i?))?|(?<![=!<>])={1,3}(?!~)/giu
const WORDS: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  true: 'true',
  false: 'false',
  null: 'null',
}

function asText(pattern: string): string {
  const [, inside, flag] = /^\/(.+)\/(i?)$/.exec(pattern) ?? []
  return inside === undefined ? pattern : JSON.stringify(`${flag === 'i' ? '(?i)' : ''}${inside}`)
}

/** A text without quotes behind a comparison, such as `status == in progress` or `day > 2026-01-31`. */
const UNQUOTED =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<operator>={1,3}|!=|[<>]=?)(?![=~])\s*(?<words>[\p{L}\p{N}][^"'@$&|()[\]]*?)(?=\s*(?:&&|\|\||\b(?:and|or)\b|\)|$))/giu
const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)$/i

const quoteTexts = (condition: string): string =>
  condition.replaceAll(UNQUOTED, (part: string, ...rest: unknown[]) => {
    const { operator = '', words = '' } = rest.at(-1) as { operator?: string; words?: string }
    const isText = operator.includes('=') && !/[<>]/.test(operator) ? words !== '' : /^\d/.test(words)
    return isText && !LITERAL.test(words) ? `${operator} ${JSON.stringify(words)}` : part
  })

/** `!` binds more tightly than a comparison. */
const DENIED = /!(@[^\s=!<>&|()]*\s*(?:[=!<>]=|[<>])\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^&|()"']+))/g

/** Such as `status == "open" and name contains "x"`. */
export const inNewForm = (condition: string): string =>
  quoteTexts(condition.trim())
    .replaceAll(PARTS, (_part, text?: string, name?: string, pattern?: string) => {
      if (text !== undefined) return text
      if (name === undefined) return '=='
      const word = WORDS[name.toLowerCase()]
      if (word !== undefined && pattern === undefined) return word
      const field = /^[@$]/.test(name) ? name : `@.${name}`
      return pattern === undefined ? field : `search(${field}, ${asText(pattern)})`
    })
    .replaceAll('! ', '!')
    .replaceAll(DENIED, (_, compared: string) => `!(${compared.trim()})`)
