import { allocate } from '../allocate.ts'
import type { Unit } from '../unit.ts'
import { bm25 } from '../../text/words/bm25.ts'
import { countTerms } from '../../text/words/count-terms.ts'
import { parseGoal, type Goal } from '../rank/goal.ts'
import { buildFolderTree, type Folder } from '../../text/tree/folder-tree.ts'
import { readFileList, type ListedPath } from '../../text/tree/read-file-list.ts'
import { readText } from '../../text/readers/registry.ts'
import { readListing, readSizedListing, readSizesBefore } from '../../text/readers/table/listing.ts'
import { showRecords } from '../records/show-records.ts'
import { FAILING, severityOf } from '../lines/severity.ts'
import type { Strategy } from '../strategy.ts'
import { countTokens } from '../../text/tokens/count-tokens.ts'
import { groupDigits } from '../group-digits.ts'

const WEIGHTS = {
  /** Factor per folder level. */
  depth: 0.8,
  /** Relative to their folder's line. */
  names: 0.35,
  costExponent: 0.3,
  /** Least share of the best score that counts as a match. */
  match: 0.35,
} as const
const MATCH_SHARE = 0.5
/** At most this share of the tokens. */
const ERRORS_SHARE = 0.7
const NAMES_A_LINE = 12
const LONGEST_NAME = 120
const MOST_MATCHES = 400
const RESERVE = 16

/** Listings with sizes are records; of bare paths, those that fit the goal, and all as a tree with counts. */
export const fileListStrategy: Strategy = {
  name: 'file-list',
  kinds: ['file-list'],
  compress(input) {
    const { text, goal, budget } = input
    const all = readFileList(text)
    const listed = all.filter(({ line }) => !isError(line))
    if (listed.length < 2) return undefined
    const rows =
      readListing(text) ??
      (isSized(listed)
        ? (readSizedListing(text) ?? readText(text, input.hint) ?? readSizesBefore(text))
        : undefined)
    const shownRows = rows && showRecords(rows, goal, budget)
    if (shownRows !== undefined) return shownRows
    const errors = showErrors(
      all.filter(({ line }) => isError(line)).map(({ line }) => line),
      Math.floor((budget - RESERVE) * ERRORS_SHARE),
    )
    const room = budget - RESERVE - (errors.text === '' ? 0 : countTokens(errors.text) + 1)
    const matches =
      goal === undefined ? '' : showMatches(listed, parseGoal(goal), Math.floor(room * MATCH_SHARE))
    const left = room - (matches === '' ? 0 : countTokens(matches) + 1)
    const tree = showTree(listed, left)
    const shown = [errors.text, matches, tree.text].filter((part) => part !== '').join('\n')
    if (shown === '') return undefined
    const named = Math.max(tree.files, matches === '' ? 0 : matches.split('\n').length)
    const hidden = Math.max(0, listed.length - named)
    return {
      text: shown,
      omitted: `the names of ${hidden === listed.length ? 'all' : `about ${groupDigits(hidden)} of`} ${groupDigits(listed.length)} entries${errors.omitted === 0 ? '' : `, ${groupDigits(errors.omitted)} errors`}`,
    }
  },
}

/** What a tool says among the paths that it lists: find of folders that it may not read, tsc of its files. */
const isError = (line: string): boolean => line.includes(': ') && severityOf(line) >= FAILING

/** In listed order, from the first. */
function showErrors(lines: readonly string[], room: number): { text: string; omitted: number } {
  const { text, taken } = allocate(
    lines.map((line, i) => ({ text: line, value: 1 / (1 + i) })),
    { budget: room, gap: '', costExponent: 0 },
  )
  return { text, omitted: lines.length - taken.length }
}

/** With sizes before or behind most names of files. */
const isSized = (listed: readonly ListedPath[]): boolean => {
  const files = listed.filter(({ path }) => !path.endsWith('/'))
  return files.filter(({ line }) => SIZED.test(line)).length > files.length / 2
}

const SIZED = /^(?:\p{L}+ )*[\d.,]+ ?(?:[kKMGTP]i?)?B?\s+\S|\S {2,}\d[\d.,]* ?(?:[KMGTP]i?)?(?:B|bytes)$/u

/** In listed order. */
function showMatches(listed: readonly ListedPath[], goal: Goal, room: number): string {
  const { scores } = bm25(
    listed.map(({ path }) => pathCounts(path, goal)),
    goal,
    { b: 0.3, contextWeight: 0.5 },
  )
  const best = scores.reduce((a, b) => Math.max(a, b), 0)
  if (best <= 0) return ''
  const places = listed
    .map((_, i) => i)
    .filter((i) => (scores[i] ?? 0) >= best * WEIGHTS.match)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, MOST_MATCHES)
    .sort((a, b) => a - b)
  const units = places.map((i) => ({ text: verbatim(listed[i]), value: scores[i] ?? 0 }))
  return allocate(units, { budget: room, gap: '' }).text
}

const verbatim = (entry: ListedPath | undefined) =>
  entry === undefined ? '' : entry.line.includes('/') ? entry.line : entry.path

/** The name counts fully, folders as context. */
function pathCounts(path: string, goal: Goal) {
  const cut = path.lastIndexOf('/', path.length - 2) + 1
  return {
    ...countTerms(path, goal, cut),
    context: cut === 0 ? undefined : countTerms(path, goal, 0, cut).counts,
  }
}

/** File counts per folder, where files are listed; as many folders and names as fit. */
function showTree(listed: readonly ListedPath[], room: number): { text: string; files: number } {
  const root = buildFolderTree(listed.map(({ path }) => path))
  const folders = new Set(listed.flatMap(({ path }) => (path.endsWith('/') ? [path] : [])))
  const units: Unit[] = []
  const filesOfUnit: number[] = []
  type Step = { folder: Folder; depth: number; parent: number }
  const steps: Step[] = [{ folder: root, depth: 0, parent: -1 }]
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { depth, parent } = step
    const { folder, label } = collapse(step.folder)
    const indent = '  '.repeat(Math.min(depth, 20))
    const needs = parent < 0 ? [] : [...(units[parent]?.needs ?? []), parent]
    const share = Math.log(2 + folder.fileCount) / Math.log(2 + root.fileCount)
    const value = WEIGHTS.depth ** depth * (0.3 + share)
    const self = units.length
    if (folder !== root || label !== '') {
      units.push({
        text: `${indent}${label}${folder.fileCount === 0 ? '' : ` ${folder.fileCount}`}`,
        value,
        needs,
      })
      filesOfUnit.push(folders.has(folder.path) ? 1 : 0)
    }
    const isPrinted = units.length > self
    const inner = isPrinted ? `${indent}  ` : indent
    const innerNeeds = isPrinted ? [...needs, self].slice(-12) : needs
    for (let i = 0; i < folder.files.length; i += NAMES_A_LINE) {
      const names = folder.files
        .slice(i, i + NAMES_A_LINE)
        .map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name))
      const early = 1 / (1 + i / NAMES_A_LINE)
      units.push({ text: inner + names.join(' '), value: value * WEIGHTS.names * early, needs: innerNeeds })
      filesOfUnit.push(names.length)
    }
    const children = [...folder.folders.values()].sort((a, b) => (a.name < b.name ? 1 : -1))
    for (const child of children)
      steps.push({ folder: child, depth: isPrinted ? depth + 1 : depth, parent: isPrinted ? self : parent })
  }
  const shown = allocate(units, { budget: Math.max(0, room), gap: '', costExponent: WEIGHTS.costExponent })
  return { text: shown.text, files: shown.taken.reduce((sum, unit) => sum + (filesOfUnit[unit] ?? 0), 0) }
}

/** Joins chains of single folders. */
function collapse(start: Folder): { folder: Folder; label: string } {
  let folder = start
  while (folder.files.length === 0 && folder.folders.size === 1) {
    const [only] = folder.folders.values()
    if (!only) break
    folder = only
  }
  const own = start.name === '' ? 0 : start.name.length + 1
  const isTop = start.path === `/${start.name}/`
  return { folder, label: folder.path.slice(isTop ? 0 : start.path.length - own) }
}
