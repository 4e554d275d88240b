import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { parse } from 'vue/compiler-sfc'
import { describe, expect, it } from 'vitest'

// Counts the words that CONTRIBUTING.md retires, in comments, strings, templates and documents. A count may only
// fall: lower the ceiling when it does.

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** As in CONTRIBUTING.md, with inflected forms. */
const retired: Readonly<Record<string, RegExp>> = {
  anew: /\banew\b/gi,
  // "There is no file" is plain English.
  'is no': /(?<!\bthere )\bis no\b(?! longer)/gi,
  'nobody, whoever, somebody': /\b(?:nobody|whoever|somebody)\b/gi,
  'so many': /\bso many\b/gi,
  likest: /\blikest\b/gi,
  befell: /\bbef[ae]ll?s?\b/gi,
  reckon: /\breckon(?:s|ed|ing)?\b/gi,
  slip: /\bslips?\b/gi,
  mend: /\bmend(?:s|ed|ing)?\b/gi,
  'stand still': /\b(?:stand|stands|stood|standing) still\b/gi,
  torment: /\btorment\w*/gi,
  'holds (a rule)':
    /\b(?:rule|test|check|promise|limit|approval|policy|order)s? holds?\b|\bholds? (?:this|that|it|both|too)\b/gi,
  'stands (a line)': /\bstands?\b(?! for\b| still\b|-)/gi,
  'in front of': /\bin front of\b/gi,
  'keep back':
    /\b(?:keep|keeps|kept|keeping) back\b|\b(?:keep|keeps|kept|keeping) (?:it|them|that|what) back\b|\bkept-back\b/gi,
  'stand-in': /\bstand-ins?\b/gi,
}

/** The maximum per area. */
const ceilings: Readonly<Record<string, number>> = {
  'README.md': 0,
  docs: 71,
  electron: 0,
  'electron/app': 1,
  'electron/cli': 6,
  'electron/engine': 44,
  packaging: 0,
  renderer: 3,
  shared: 1,
}

/** Comments and strings of TypeScript, except module names. */
function wordsOfCode(text: string, path: string): string[] {
  const { ParseNone } = ts.JSDocParsingMode
  const options = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ParseNone }
  const source = ts.createSourceFile(path, text, options, true)
  const strings: string[] = []
  let [code, at] = ['', 0]
  const visit = (node: ts.Node): void => {
    const isString =
      ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isString || ts.isRegularExpressionLiteral(node)) {
      code += `${text.slice(at, node.getStart(source))} `
      at = node.getEnd()
    }
    const isModule =
      ts.isStringLiteral(node) &&
      (ts.isImportDeclaration(node.parent) ||
        ts.isExportDeclaration(node.parent) ||
        (ts.isCallExpression(node.parent) && node.parent.expression.kind === ts.SyntaxKind.ImportKeyword))
    if (isString && !isModule) strings.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  // Outside of literals these signs begin nothing else.
  return [...strings, ...((code + text.slice(at)).match(/\/\/.*|\/\*[\s\S]*?\*\//g) ?? [])]
}

interface TemplateNode {
  readonly content?: unknown
  readonly value?: { readonly content: string } | undefined
  readonly exp?: { readonly content: string } | undefined
  readonly props?: readonly TemplateNode[]
  readonly children?: readonly TemplateNode[]
}

/** Texts, comments and attributes of a template, and strings in its expressions. */
function wordsOfTemplate(node: TemplateNode, path: string): string[] {
  const own = typeof node.content === 'string' ? [node.content] : []
  const bound = (node.content as { content?: string } | undefined)?.content ?? node.exp?.content
  return [
    ...own,
    ...(node.value ? [node.value.content] : []),
    ...(bound === undefined ? [] : wordsOfCode(`(${bound})`, path)),
    ...[...(node.props ?? []), ...(node.children ?? [])].flatMap((child) => wordsOfTemplate(child, path)),
  ]
}

function wordsOf(path: string): string[] {
  const text = read(path)
  if (path.endsWith('.md')) return [text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '')]
  if (!path.endsWith('.vue')) return wordsOfCode(text, path)
  const { descriptor } = parse(text)
  const scripts = [descriptor.script, descriptor.scriptSetup].flatMap((block) =>
    block ? [block.content] : [],
  )
  const template = descriptor.template?.ast as TemplateNode | undefined
  return [
    ...scripts.flatMap((script) => wordsOfCode(script, `${path}.ts`)),
    ...(template ? wordsOfTemplate(template, `${path}.ts`) : []),
  ]
}

/** `electron/engine`, `electron/app`, …, `electron` for files directly in it; otherwise the top folder. */
function areaOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/')
  if (second === 'packaging') return second
  return first === 'electron' && rest.length > 0 ? `${first}/${second}` : first
}

const files = globSync(['{electron,packaging,renderer,shared}/**/*.{ts,vue}', 'docs/**/*.md', 'README.md'], {
  cwd: root,
}).map((path) => path.replaceAll('\\', '/'))

const counts: Record<string, number> = {}
const places: Record<string, string[]> = {}
for (const path of files) {
  const area = areaOf(path)
  const texts = wordsOf(path).join('\n')
  for (const [word, pattern] of Object.entries(retired)) {
    const found = texts.match(pattern)?.length ?? 0
    counts[area] = (counts[area] ?? 0) + found
    if (found > 0) (places[area] ??= []).push(`${path}: ${word} (${found})`)
  }
}

describe('retired words', () => {
  it('are those of CONTRIBUTING.md', () => {
    const [, table = ''] = read('CONTRIBUTING.md').split('\n### Retired words\n')
    const listed = [...(table.split('\n##')[0] ?? '').matchAll(/^\| ([^|]+?) \|/gm)].map((match) => match[1])
    expect(listed.slice(1)).toEqual(Object.keys(retired))
  })

  it('have a ceiling in every area', () => {
    expect(Object.keys(counts).toSorted()).toEqual(Object.keys(ceilings).toSorted())
  })

  it.each(Object.entries(ceilings))('in %s are at most %i', (area, ceiling) => {
    expect(counts[area], (places[area] ?? []).join('\n')).toBeLessThanOrEqual(ceiling)
  })
})
