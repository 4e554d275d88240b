import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import ts from 'typescript'

/** One import, re-export, `import()`, type import or `declare module` of a source file. */
export interface Import {
  /** Path from the root, with forward slashes. */
  readonly from: string
  /** Path from the root for relative imports, the name as written otherwise. */
  readonly to: string
  /** Removed when types are stripped. */
  readonly typeOnly: boolean
  /** `import()` as an expression. */
  readonly lazy: boolean
}

export const root = join(import.meta.dirname, '../..')

/** Sorted paths of all source files, from the root. */
export const sources: readonly string[] = globSync(
  ['electron/**/*.ts', 'shared/**/*.ts', 'renderer/**/*.{ts,vue}'],
  {
    cwd: root,
  },
)
  .map((path) => path.replaceAll('\\', '/'))
  .toSorted()

const scriptBlock = /<script\b[^>]*>([\s\S]*?)<\/script>/g

/** The TypeScript of a source file, or a Vue component's script blocks. */
export function scriptOf(path: string): string {
  const text = readFileSync(join(root, path), 'utf8')
  if (!path.endsWith('.vue')) return text
  return [...text.matchAll(scriptBlock)].map(([, script]) => script).join('\n')
}

/** Reads a source file's imports with the TypeScript parser. */
export function importsOf(path: string): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, lazy = false): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const to = specifier.text
    found.push({
      from: path,
      to: to.startsWith('.') ? posix.join(dirname(path), to) : to,
      typeOnly,
      lazy,
    })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypesOnly(node.importClause))
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, exportsTypesOnly(node))
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, true)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true)
    else if (ts.isModuleDeclaration(node)) add(node.name, true)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, scriptOf(path), ts.ScriptTarget.Latest))
  return found
}

function importsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true
  const { name, namedBindings } = clause
  if (name || !namedBindings || !ts.isNamedImports(namedBindings)) return false
  return namedBindings.elements.length > 0 && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
}

function exportsTypesOnly({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  if (isTypeOnly) return true
  if (!exportClause || !ts.isNamedExports(exportClause)) return false
  return exportClause.elements.length > 0 && exportClause.elements.every((element) => element.isTypeOnly)
}

/** All imports of all source files. */
export const imports: readonly Import[] = sources.flatMap(importsOf)

/** Import cycles, types included; each sorted. Strongly connected components after Tarjan (1972). */
export function circles(arrows: readonly Pick<Import, 'from' | 'to'>[]): string[][] {
  const next = Map.groupBy(arrows, ({ from }) => from)
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []
  const visit = (at: string): void => {
    const own = index.size
    index.set(at, own)
    low.set(at, own)
    stack.push(at)
    onStack.add(at)
    for (const { to } of next.get(at) ?? []) {
      if (!index.has(to)) visit(to)
      if (onStack.has(to)) low.set(at, Math.min(low.get(at) ?? own, low.get(to) ?? own))
    }
    if (low.get(at) !== own) return
    const group = stack.splice(stack.indexOf(at))
    for (const member of group) onStack.delete(member)
    if (group.length > 1) found.push(group.toSorted())
  }
  for (const { from } of arrows) if (!index.has(from)) visit(from)
  return found
}
