import type { LanguageId } from './languages.ts'

/** Detectable languages; those without a grammar are named so that no wrong grammar is tried. */
export type SourceLanguage =
  | LanguageId
  | 'kotlin'
  | 'scala'
  | 'swift'
  | 'dart'
  | 'lua'
  | 'sql'
  | 'elixir'
  | 'hcl'
  | 'perl'
  | 'r'
  | 'haskell'

const SAMPLED_LINES = 120
const LONGEST_LINE = 400

/** A match counts once per line; distinctive signs outweigh shared ones. */
const signs: readonly (readonly [SourceLanguage, number, RegExp])[] = [
  [
    'python',
    3,
    /^(?:async )?def \w+\(.*:$|^class \w+(?:\([\w., =]*\))?:$|^from [\w.]+ import |^@\w[\w.]*(?:\(.*\))?$/,
  ],
  [
    'python',
    2,
    /^(?:el)?if .*:$|^for .+ in .+:$|^(?:else|try|finally):$|^(?:except|while|with)\b.*:$|\bself\.|^elif /,
  ],
  ['python', 1, /^import [\w.]+(?: as \w+)?$|^return (?!.*;$)|^"""|\bNone\b|\bTrue\b|\bFalse\b| not in /],
  [
    'javascript',
    2,
    /^(?:export )?(?:default )?(?:async )?function\b|^(?:const|let) [\w$[{].*=|\brequire\(|^module\.exports/,
  ],
  [
    'javascript',
    2,
    /=> ?[({[]|=>$|===|!==|\bconsole\.\w+\(|^import .* from ['"]|^export (?:const|default|\{)/,
  ],
  [
    'typescript',
    3,
    /^(?:export )?(?:declare )?(?:interface|type|enum|namespace) \w+|^import type |\bas const\b|\breadonly \w+/,
  ],
  [
    'typescript',
    3,
    /[\w)\]?]: (?:string|number|boolean|void|any|unknown|never|Promise<|Record<|readonly )|<[A-Z]\w*(?:\[\])?>\(/,
  ],
  ['tsx', 2, /^<\/?[A-Za-z][\w.]*(?:[\s/>]|$)|\/>\)?;?$|\bclassName=|<\/\w+>/],
  [
    'go',
    3,
    /^func (?:\(\w+ \*?\w+(?:\[.*\])?\) )?\w+(?:\[.*\])?\(.*\{$|^package \w+$|^type \w+ (?:struct|interface)\b|\berr != nil\b/,
  ],
  ['go', 1.5, /:= |^import \($|^for .*range .*\{$|\bmake\(|\bfmt\.\w+\(|^defer |\bchan \w/],
  [
    'rust',
    3,
    /^(?:pub(?:\(\w+\))? )?(?:async |unsafe |const )*fn \w+|^impl\b.*\{|^#!?\[|\blet mut \w|^(?:pub )?(?:mod|trait) \w+|^use (?:std|crate|super|self)::/,
  ],
  [
    'rust',
    2,
    /&mut |&str\b|\bVec<|\.unwrap\(\)|\bmatch .*\{$|=> \{?$|\w::<|\bSome\(|\bOk\(|\.iter\(\)|println!\(/,
  ],
  ['rust', 1, /^let \w+(?:: [^=]+)? = .*;$|\bas (?:usize|i32|u8|u32|i64|f64)\b|^pub \w+: /],
  [
    'java',
    3,
    /^import (?:static )?[\w.]+(?:\.\*)?;$|^package [\w.]+;$|@Override\b|\bSystem\.(?:out|err)\b|\bthrows \w+/,
  ],
  [
    'java',
    2,
    /^(?:public|private|protected)(?: static)?(?: final)? [\w<>[\], ?]+ \w+\(.*\)? ?\{?$|\bnew (?:ArrayList|HashMap|HashSet|LinkedList)\b/,
  ],
  [
    'java',
    1,
    /\bString \w+|\bInteger\b|\bList<\w+>|\bboolean \w+|\bfinal \w+|^(?:public |final |abstract )*class \w+/,
  ],
  [
    'csharp',
    3,
    /^using (?:static )?[A-Z][\w.]*;$|\{ get; |\bConsole\.Write|^namespace [A-Z][\w.]*(?: ?\{|;)?$|\bforeach \(var |\basync Task\b/,
  ],
  [
    'csharp',
    2,
    /^(?:public|private|internal|protected) (?:static |sealed |partial |override |virtual |async |readonly )*(?:class|record|struct|string|bool|int|void|var|I[A-Z]\w+) /,
  ],
  ['csharp', 1, /\bstring \w+|\bvar \w+ = new\b|^\[\w+(?:\(.*\))?\]$|\bnameof\(|\?\? /],
  [
    'cpp',
    3,
    /^#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b|\bstd::|^using namespace |^template ?<|\bnullptr\b|\bcout ?<</,
  ],
  [
    'cpp',
    2,
    /^(?:static |inline |extern |const |virtual |unsigned |struct )*[A-Za-z_][\w:]*(?:<[\w:<>, *&]+>)?[ *&]+[\w:~]+\([^;]*\)\s*(?:const)?\s*\{?$/,
  ],
  [
    'cpp',
    1.5,
    /\bvector<|\w->\w|\bsizeof\(|\bint \w+(?: ?=.*)?;$|^(?:for|if|while) ?\((?:int|size_t|auto|unsigned)\b|\w::\w|\bchar ?\*|^(?:string|int|bool|double|float|void|long|char|unsigned) \w+ ?[=;(]/,
  ],
  [
    'ruby',
    3,
    /^def (?:self\.)?\w+[?!=]?(?:\(.*\)| \w.*)?$|^(?:elsif|unless) |^attr_\w+ |^module [A-Z]\w*(?:::\w+)*$|\bdo(?: \|[\w, ]+\|)?$/,
  ],
  [
    'ruby',
    2,
    /^end$|^require(?:_relative)? ['"]|\.each\b|^puts |^class [A-Z]\w*(?: < [A-Z][\w:]*)?$|\bnil\?|^rescue\b/,
  ],
  [
    'php',
    4,
    /^<\?php|^namespace [A-Z]\w*(?:\\\w+)*;|\$this->|\bfunction \w*\([^)]*\$\w+|^use [A-Z]\w*\\[\w\\]+;/,
  ],
  ['php', 1.5, /^\$\w+(?:\[.*\])? =|^echo |\$\w+->\w+|=> \$/],
  [
    'bash',
    3,
    /^(?:fi|done|esac)\b|^(?:if|while|elif) \[\[? |^\w[\w-]*\(\) ?\{$|^case .* in$|;;$|^set -[euxo]+\b/,
  ],
  [
    'bash',
    1.5,
    /^(?:local|export|readonly|declare) \w+=|\$\{\w+[:%#}-]|\$\(\w|^echo |\| (?:grep|sed|awk|sort|xargs)\b|; (?:then|do)$|^[A-Z_]+="?\$/,
  ],
  [
    'powershell',
    4,
    /^function [A-Z]\w+-[A-Z]\w+|^\[CmdletBinding|\b(?:Write|Get|Set|New)-[A-Z]\w+|^param ?\($|\s-(?:eq|ne|like|match|gt|lt) /i,
  ],
  [
    'css',
    2.5,
    /^[.#@:*[\w][^{;=()]*\{$|^(?:--)?[a-z-]+:\s*[^;{}]+;$|^@(?:media|import|keyframes|font-face)\b/,
  ],
  [
    'kotlin',
    3,
    /^(?:override |private |internal |suspend |inline |open |public |operator )*fun (?:<.*> )?[\w.]+\(|^(?:data|sealed|enum|annotation) class |\bval \w+(?::| =)|^companion object|\bwhen ?\(.*\{$/,
  ],
  [
    'scala',
    3,
    /^(?:override |private |implicit |final )*def \w+(?:\[.*\])?(?:\(.*\))*(?:: [\w[\], ]+)? =|^(?:case )?object \w+|^case class |^(?:sealed )?trait \w+|^import [\w.]+\.[{_]/,
  ],
  [
    'swift',
    3,
    /^(?:@\w+ )*(?:public |private |internal |static |override |mutating |fileprivate )*func \w+.*\{$|^guard (?:let|var|\w)|^(?:extension|protocol) \w+|\bif let \w+ =|^import (?:Foundation|UIKit|SwiftUI)|-> \w+\??.*\{$/,
  ],
  [
    'dart',
    3,
    /^import 'package:|\bWidget build\(|^@override$|\bfinal \w+ \w+;|\bconst \w+\(\{|\bFuture<\w+> \w+\(/,
  ],
  [
    'lua',
    3,
    /^local (?:function )?\w+|^function [\w.:]+\(.*\)$|\bthen$|\bend[,)]*$|^--(?:\[\[| )|\bnil\b| ~= |\.\. ?["\w]/,
  ],
  [
    'sql',
    3,
    /^(?:CREATE|ALTER|DROP|INSERT|SELECT|UPDATE|DELETE|FROM|WHERE|GROUP BY|ORDER BY|(?:LEFT |INNER )?JOIN)\b/i,
  ],
  [
    'elixir',
    3,
    /^defmodule [\w.]+ do$|^defp? \w+.*(?:do|do:.*)$|\|> |^@(?:doc|spec|moduledoc)\b|^alias [A-Z]|fn .* ->/,
  ],
  [
    'hcl',
    3,
    /^(?:resource|variable|output|module|provider|data|locals|terraform)(?: "[\w-]+")*\s*\{$|^[\w-]+\s+= (?:var|local|module|data|aws_\w+)\./,
  ],
  [
    'perl',
    3,
    /^use (?:strict|warnings|[A-Z]\w*(?:::\w+)*)\b.*;$|^sub \w+|^my [$@%(]|=~ [ms]?\/|\$self->\{|^package [\w:]+;$/,
  ],
  ['r', 3, /<- (?:function\(|\w)|^library\(|%>%|\bc\(.*\)$/],
  [
    'haskell',
    3,
    /^\w+(?:'|) :: |^(?:module|import qualified|import) [A-Z][\w.]*|^data \w+.* = |^instance .* where|<\$>/,
  ],
]

const interpreters: readonly (readonly [RegExp, SourceLanguage])[] = [
  [/python/, 'python'],
  [/node|deno|bun\b/, 'javascript'],
  [/ruby/, 'ruby'],
  [/php/, 'php'],
  [/perl/, 'perl'],
  [/pwsh/, 'powershell'],
  [/lua/, 'lua'],
  [/Rscript/, 'r'],
  [/sh\b/, 'bash'],
]

/** By shebang or line statistics; undefined when unclear. */
export function detectLanguage(text: string): SourceLanguage | undefined {
  const named = namedByShebang(text)
  if (named) return named
  const score = new Map<SourceLanguage, number>()
  for (const [i, line] of sampleLines(text).entries()) {
    for (const [language, weight, pattern] of signs)
      if (pattern.test(line)) score.set(language, (score.get(language) ?? 0) + weight)
    if (i % LINES_AT_ONCE === LINES_AT_ONCE - 1 && isBeyondDoubt(score)) break
  }
  return bestOf(score)
}

/** Tests for these from their signs alone when possible, in a fraction of the time. */
export function languageTest(among: ReadonlySet<SourceLanguage>): (text: string) => boolean {
  const theirs = signs.filter(([language]) => among.has(language))
  const others = signs.filter(([language]) => !among.has(language))
  return (text) => {
    const named = namedByShebang(text)
    if (named) return among.has(named)
    const score = new Map<SourceLanguage, number>()
    const lines = sampleLines(text)
    for (const line of lines)
      for (const [language, weight, pattern] of theirs)
        if (pattern.test(line)) score.set(language, (score.get(language) ?? 0) + weight)
    const most = Math.max(0, ...score.values())
    if (most < WEAKEST) return false
    if ((score.get('typescript') ?? 0) >= WEAKEST) return isAmong(detectLanguage(text), among)
    for (const line of lines)
      for (const [language, weight, pattern] of others) {
        if (!pattern.test(line)) continue
        const sum = (score.get(language) ?? 0) + weight
        if (sum > most) return false
        score.set(language, sum)
      }
    return isAmong(bestOf(score), among)
  }
}

const isAmong = (language: SourceLanguage | undefined, among: ReadonlySet<SourceLanguage>): boolean =>
  language !== undefined && among.has(language)

function namedByShebang(text: string): SourceLanguage | undefined {
  if (!text.startsWith('#!')) return undefined
  const shebang = text.slice(0, Math.min(200, text.indexOf('\n') >>> 0))
  return interpreters.find(([pattern]) => pattern.test(shebang))?.[1]
}

/** Least score of a detected language. */
const WEAKEST = 3

/** Lines between checks whether more lines could change the result. */
const LINES_AT_ONCE = 30
const SURE = { score: 40, times: 4 } as const

/** Languages that contain each other need all the lines. */
const ALIKE: ReadonlySet<SourceLanguage> = new Set(['javascript', 'typescript', 'tsx'])

function isBeyondDoubt(score: ReadonlyMap<SourceLanguage, number>): boolean {
  const [best, next] = [...score].sort((a, b) => b[1] - a[1])
  if (best === undefined || ALIKE.has(best[0])) return false
  return best[1] >= SURE.score && best[1] >= SURE.times * (next?.[1] ?? 0)
}

function bestOf(score: Map<SourceLanguage, number>): SourceLanguage | undefined {
  const of = (language: SourceLanguage) => score.get(language) ?? 0
  // Signs of the smaller language count for the larger.
  const typed = of('typescript')
  score.set('typescript', typed >= WEAKEST ? typed + of('javascript') : 0)
  score.set('tsx', typed >= WEAKEST && of('tsx') >= 4 ? typed + of('javascript') + of('tsx') : 0)
  const [best, next] = [...score].sort((a, b) => b[1] - a[1])
  if (!best || best[1] < WEAKEST) return undefined
  return next && next[1] === best[1] ? (best[0] < next[0] ? best[0] : next[0]) : best[0]
}

/** Trimmed code lines: half from the start, others spread over the text. */
function sampleLines(text: string): string[] {
  const lines: string[] = []
  const take = (from: number): number => {
    const found = text.indexOf('\n', from)
    const end = found < 0 ? text.length : found
    const line = text.slice(from, Math.min(end, from + LONGEST_LINE)).trim()
    if (line.length > 1 && !/^(?:\/\/|\*|\/\*)/.test(line)) lines.push(line)
    return end + 1
  }
  let at = 0
  while (lines.length < SAMPLED_LINES / 2 && at < text.length) at = take(at)
  const step = Math.max(1, Math.floor((text.length - at) / (SAMPLED_LINES / 2)))
  for (let next = at; next < text.length && lines.length < SAMPLED_LINES;) {
    const after = take(next)
    const jump = next + step
    next = after >= jump ? after : nextLine(text, jump)
  }
  return lines
}

function nextLine(text: string, from: number): number {
  const found = text.indexOf('\n', from)
  return found < 0 ? text.length : found + 1
}
