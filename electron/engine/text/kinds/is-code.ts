import { isShareAbove, share, some } from './sample-lines.ts'

const SHEBANG = /^#!\s*\/\S+/
const KEYWORD =
  /^\s*(?:def|class|func|fn|function|public|private|protected|static|return|import|from|export|const|let|var|if|elif|else|for|while|try|except|finally|catch|raise|throw|switch|case|do|done|fi|esac|end|package|use|using|namespace|module|interface|struct|enum|impl|trait|type|async|await|echo|SELECT|INSERT|CREATE|UPDATE|#include|#define|#if\w*|#endif|@\w+)\b.*[:({;,)=]?/
/** Statement ends, and patterns for inconclusive ends. */
const LAST_OF_STATEMENT = ';{}([,)'
const STATEMENT = /^\s*[}\])]+$|\)\s*(?::|->|=>)$|^\s*[\w.$[\]]+\s*(?:[-+*/|&]?=|:=)\s*\S/
const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\/|\s|$)|#+(?:\s|$)|--\s|"""|''')/
const SENTENCE = /^[A-Z][a-z]+ .*\.$/

/** Mostly statements, some unambiguous. */
export function isCode(lines: readonly string[]): boolean {
  if (lines.length === 0) return false
  if (SHEBANG.test(lines[0] ?? '')) return true
  return isMostlyCode(outsideFences(lines))
}

/** Text outside Markdown's fences determines the kind. */
function outsideFences(lines: readonly string[]): readonly string[] {
  let inside = false
  const isFence = (line: string) => line.trimStart().startsWith('```')
  if (lines.filter(isFence).length < 2) return lines
  return lines.filter((line) => {
    if (!isFence(line)) return !inside
    // A language opens one, whatever lines the sample lacks.
    inside = /`\s*\w/.test(line) || !inside
    return false
  })
}

function isMostlyCode(lines: readonly string[]): boolean {
  if (lines.length === 0) return false
  const comments = share(lines, COMMENT)
  // A file's description may be longer than its first statements.
  const others = comments > MANY_COMMENTS ? lines.filter((line) => !COMMENT.test(line)) : lines
  const judged = others.length < LEAST_OTHERS ? lines : others
  const statements = judged.filter(isStatement).length / judged.length
  if (statements < 0.3 || statements + comments < 0.5 || isShareAbove(lines, 0.2, isSentence)) return false
  // Lists of names have lines that end with a comma or a bracket, too.
  if (!isShareAbove(lines, LEAST_MARKED * (1 - comments), isMarked)) return false
  return some(lines, /[;{}]\s*$|\)\s*(?::|\{|->)\s*$|^\s*(?:def|class|import|from|func|fn)\s.*[^.]$/)
}

const MANY_COMMENTS = 0.5
const LEAST_OTHERS = 12
const LEAST_MARKED = 0.3
/** Calls, places, assignments, blocks, arrows; a list of Lisp. */
const MARK = /[\w\])"'](?:\(|\[)|[={};]|->|::|^\s*[('`]+\w/
const isMarked = (line: string): boolean => MARK.test(line) || KEYWORD.test(line)

/** Ends like a call: a Markdown link, words in brackets, a stack's frame. */
const NO_CALL = /\]\([^)\s]+\)$|^\s*[^\s(=]+ (?:[^(=]|[<>]=)* \([^()]*\)$|^\s*at\s\S/

/** Behind a statement. */
const REMARK = /\s+(?:\/\*.*\*\/|\/\/\s.*|%\s.*)$/

/** Lines are right-trimmed. */
function isStatement(whole: string): boolean {
  const line = whole.replace(REMARK, '')
  return (
    !NO_CALL.test(line) &&
    (LAST_OF_STATEMENT.includes(line.charAt(line.length - 1)) || STATEMENT.test(line) || KEYWORD.test(line))
  )
}

const isSentence = (line: string): boolean => line.endsWith('.') && SENTENCE.test(line)

const DENSE_LINE = 1000
const DENSE_SHARE = 0.08

/** Long lines with many brackets and semicolons. */
export function isDenseCode(text: string): boolean {
  const sample = text.slice(0, 4000)
  const firstLine = sample.indexOf('\n')
  if (sample.length < DENSE_LINE || (firstLine >= 0 && firstLine < DENSE_LINE)) return false
  const marks = sample.match(/[{}();=]/g)?.length ?? 0
  return marks / sample.length > DENSE_SHARE
}
