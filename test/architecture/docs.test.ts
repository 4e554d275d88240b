import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { commands } from '../../electron/cli/commands.ts'
import { settingsTables } from '../docs/settings-document.ts'

// Checks links, paths, and the lists of docs/architecture.md that have a source in the code.

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const architecture = read('docs/architecture.md')

/** The text of a level 2 section. */
function section(title: string): string {
  const [, found] = architecture.split(`\n## ${title}\n`)
  if (found === undefined) throw new Error(`docs/architecture.md has no section "${title}".`)
  return found.split('\n## ')[0] ?? ''
}

/** The cells of a table's rows, without its heading. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

const inCode = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')

function parsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true)
}

function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node)
  ts.forEachChild(node, (child) => visit(child, look))
}

/** Layer names in the order of engine.ts. */
function layersOf(path: string): string[] {
  const names: string[] = []
  visit(parsed(path), (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || node.name.text !== 'layers') return
    if (!node.initializer || !ts.isObjectLiteralExpression(node.initializer)) return
    for (const property of node.initializer.properties)
      if (property.name && (ts.isStringLiteral(property.name) || ts.isIdentifier(property.name)))
        names.push(property.name.text)
  })
  return names
}

/** All string literals of the sources. */
function literalsOf(paths: readonly string[]): Set<string> {
  const found = new Set<string>()
  for (const path of paths)
    visit(parsed(path), (node) => {
      if (ts.isStringLiteralLike(node)) found.add(node.text)
    })
  return found
}

describe('docs/architecture.md', () => {
  it('has at most 120 lines', () => {
    expect(architecture.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  it('lists the layers of engine.ts in their order', () => {
    const listed = rowsOf(section('One tools/call')).map(([name = '']) => inCode(name)[0])
    expect(layersOf('electron/engine/engine.ts').length).toBeGreaterThan(10)
    expect(listed).toEqual(layersOf('electron/engine/engine.ts'))
  })

  it('names entries of processes that exist', () => {
    const entries = rowsOf(section('Processes')).flatMap(([, entry = '']) =>
      inCode(entry).filter((name) => name.includes('/')),
    )
    expect(entries.length).toBeGreaterThan(5)
    expect(entries.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('names commands of entries that exist', () => {
    const commands = rowsOf(section('Processes')).flatMap(([, entry = '']) =>
      inCode(entry).filter((name) => !name.includes('/')),
    )
    const table = read('electron/cli/commands.ts')
    expect(commands.length).toBeGreaterThan(1)
    expect(commands.filter((name) => !table.includes(`./${name}.ts`))).toEqual([])
  })

  it('gives every top folder with sources a place on the map', () => {
    const places = rowsOf(section('Where to find what')).flatMap(([place = '']) => inCode(place))
    const folders = globSync('*/', { cwd: root })
      .map((path) => path.replace(/\/?$/, '/'))
      .filter(
        (path) => globSync(`${path}**/*.{ts,vue}`, { cwd: root, exclude: ['**/node_modules/**'] }).length > 0,
      )
      .filter((path) => !/^(node_modules|dist|docs|release)\//.test(path))
    expect(folders).toContain('electron/')
    expect(folders.filter((folder) => !places.some((place) => place.startsWith(folder)))).toEqual([])
  })

  it('gives every folder of the engine a place on the map or a floor', () => {
    const floors = rowsOf(section('Rules of the house')).flatMap(([, folders = '']) => inCode(folders))
    const places = [
      ...rowsOf(section('Where to find what')).flatMap(([place = '']) => inCode(place)),
      ...floors.map((folder) => `electron/engine/${folder}`),
    ]
    const folders = globSync('electron/engine/*/', { cwd: root }).map((path) =>
      path.replaceAll('\\', '/').replace(/\/?$/, '/'),
    )
    expect(folders.length).toBeGreaterThan(10)
    expect(folders.filter((folder) => !places.includes(folder))).toEqual([])
  })

  it('names files of the data folder that the code names', () => {
    const names = inCode(section('Data and decisions')).filter((name) => /^[a-z][\w.-]*\/?$/.test(name))
    const literals = literalsOf(globSync('electron/**/*.ts', { cwd: root }))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => !literals.has(name.replace(/\/$/, '')))).toEqual([])
  })
})

/** A table of docs/commands.md by the first cell of its heading. */
const commandTable = (heading: string): string[][] => {
  const [, found = ''] = read('docs/commands.md').split(`\n| ${heading} |`)
  // A bar within a cell is escaped.
  return rowsOf(`| |${(found.split('\n\n')[0] ?? '').replaceAll('\\|', '/')}`)
}

describe('docs/commands.md', () => {
  it('has a row for each command', () => {
    const rows = commandTable('command').flatMap(([names = '']) =>
      inCode(names).flatMap(
        (name) =>
          name
            .replace(/^sluice /, '')
            .split(' ')[0]
            ?.split('/') ?? [],
      ),
    )
    expect(rows.toSorted()).toEqual(Object.keys(commands).toSorted())
  })
})

describe('docs/settings.md', () => {
  it('has what the schema says: `node test/docs/write-settings.ts` writes it', () => {
    const [, generated] =
      /<!-- from the schema.*?-->\n\n([\s\S]*?)\n\n<!-- end -->/.exec(read('docs/settings.md')) ?? []
    expect(generated).toBe(settingsTables())
    expect(generated?.match(/^\| `/gm)?.length).toBeGreaterThan(100)
  })

  it('describes each setting', () => {
    const bare = settingsTables()
      .split('\n')
      .filter((line) => /^\| `.*\| +\|$/.test(line))
    expect(bare).toEqual([])
  })
})

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync('docs/**/*.md', { cwd: root }),
].map((path) => path.replaceAll('\\', '/'))
/** Without code blocks, which quote other texts. */
const proseOf = (path: string): string => read(path).replaceAll(/^```[\s\S]*?^```$/gm, '')
/** The heading's anchor on the hosting site. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const anchorsOf = (path: string): string[] =>
  [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map((match) => anchorOf(match[1] ?? ''))

const top = globSync('*', { cwd: root }).filter((name) => name !== 'node_modules')

/** Protocol methods that look like paths. */
const methods = /^resources\/(?:read|list|subscribe|unsubscribe|updated|templates(?:\/list)?)$/

/** Whether a path from a document exists: relative to the root, the document, or the sources. */
function exists(path: string, from: string): boolean {
  const clean = path.replace(/\/$/, '')
  const bases = [
    '',
    dirname(from),
    'electron',
    'electron/engine',
    'electron/app',
    'electron/cli',
    'renderer',
    'test',
    'test/engine',
  ]
  if (bases.some((base) => existsSync(join(root, base, clean)))) return true
  return clean.includes('*') && globSync(clean, { cwd: root }).length > 0
}

describe.each(documents)('%s', (path) => {
  it('has links that lead somewhere', () => {
    const links = [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
    const broken = links
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? path : join(dirname(path), file)
        if (!existsSync(resolve(root, target))) return true
        return anchor !== undefined && !anchorsOf(target).includes(anchor)
      })
    expect(broken).toEqual([])
  })

  it('names paths that exist', () => {
    const names = inCode(proseOf(path))
      .flatMap((code) => code.split(/\s+/))
      .filter((name) => /^[\w.*-]+(?:\/[\w.*-]+)+\/?$/.test(name))
      .filter((name) => top.some((folder) => name.startsWith(`${folder}/`)))
      .filter((name) => !name.startsWith('dist/') && !methods.test(name))
    expect(names.filter((name) => !exists(name, path))).toEqual([])
  })
})

const sources = globSync(['{electron,shared,renderer,test,packaging}/**/*.{ts,vue}', '*.ts'], {
  cwd: root,
}).map((name) => `/${name.replaceAll('\\', '/')}`)

describe.each(documents)('%s', (path) => {
  it('names sources that exist', () => {
    const names = inCode(proseOf(path)).filter((name) => /^[\w./-]+\.(ts|vue)$/.test(name))
    expect(
      names.filter(
        (name) => !name.endsWith('.d.ts') && !sources.some((source) => source.endsWith(`/${name}`)),
      ),
    ).toEqual([])
  })
})
