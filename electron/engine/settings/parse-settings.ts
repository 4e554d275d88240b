import { getNodeValue } from 'jsonc-parser'
import type { z } from 'zod'
import { RESERVED_SERVER_ID } from '../../../shared/server-id.ts'
import { Settings } from '../../../shared/settings.ts'
import { adaptForeign } from './adapt-foreign.ts'
import type { Remark } from './adapt-foreign.ts'
import { checkPatterns } from './check-patterns.ts'
import { readConfigText, serverOf } from './config-text.ts'
import type { ConfigText } from './config-text.ts'
import { describeIssue } from './describe-issue.ts'
import { foreignPlaceholders, urlCredentials } from './expand-env.ts'
import { formatPath } from './settings-problem.ts'
import type { SettingsPath, SettingsProblem } from './settings-problem.ts'

export interface ParsedSettings {
  /** Undefined on any mistake. */
  readonly settings: Settings | undefined
  /**
   * At start: without faulty servers, so that one doesn't disable the others. Undefined on a mistake outside server
   * entries, which might concern a guard setting.
   */
  readonly usable: Settings | undefined
  /** If the file isn't usable: built-in settings with the file's port, if valid. */
  readonly bare: Settings
  readonly problems: readonly SettingsProblem[]
  /** Accepted without effect. */
  readonly notices: readonly SettingsProblem[]
}

/** Comments and trailing commas are allowed; every mistake has a position and a fix. */
export function parseSettings(source: string): ParsedSettings {
  // More often an interrupted write than intended: must not remove every server.
  if (source.trim() === '') return faulty([wholeFile(EMPTY)], [], bareSettings(undefined))
  if (source.includes('\0') || source.startsWith('\uFFFD'))
    return faulty([wholeFile(NOT_UTF8)], [], bareSettings(undefined))
  const text = readConfigText(source)
  if (text.root === undefined || text.problems.some((problem) => problem.path === '')) {
    const bare = bareSettings(text.root && getNodeValue(text.root))
    if (text.problems.length > 0) return faulty(text.problems, [], bare)
    return { settings: bare, usable: bare, bare, problems: [], notices: [] }
  }
  const value: unknown = getNodeValue(text.root)
  const adapted = adaptForeign(value)
  const parsed = Settings.safeParse(adapted.value)

  const valueAt = (path: SettingsPath) => path.reduce<unknown>(step, adapted.value)
  const described = parsed.success
    ? []
    : withoutConsequences(parsed.error.issues)
        .flatMap((issue) => describeIssue(issue, valueAt))
        .map(({ path, atKey, message }) => {
          const inFile = adapted.sourceOf(path)
          return locate(text, { path: inFile, message, serverId: serverOf(inFile) }, atKey)
        })
  const ids = Object.keys(step(adapted.value, 'servers') ?? {})
  const problems = [
    ...text.problems,
    ...adapted.problems.map((remark) => locate(text, remark, true)),
    ...described,
    ...collidingIds(ids).map((remark) =>
      locate(text, { ...remark, path: adapted.sourceOf(remark.path) }, true),
    ),
    ...checkPatterns(adapted.value).map((remark) =>
      locate(text, { ...remark, path: adapted.sourceOf(remark.path) }, false),
    ),
  ].sort((a, b) => a.line - b.line || a.column - b.column)
  const notices = [
    ...adapted.notices.map((remark) => locate(text, remark, true)),
    ...(parsed.success ? [...foreignPlaceholders(parsed.data), ...urlCredentials(parsed.data)] : []).map(
      (remark) => locate(text, { ...remark, path: adapted.sourceOf(remark.path) }, false),
    ),
  ]
  if (problems.length === 0 && parsed.success) {
    return { settings: parsed.data, usable: parsed.data, bare: parsed.data, problems, notices }
  }
  return { ...faulty(problems, notices, bareSettings(value)), usable: usablePart(adapted.value, problems) }
}

const EMPTY =
  'The file is empty. Put your settings back into it, or write {} for the built-in settings without any server.'
/** UTF-16, of Windows PowerShell's `>`, begins with a mark that isn't UTF-8, and has a zero byte in each ASCII character. */
const NOT_UTF8 = "The file isn't written in UTF-8. Save it as UTF-8."

const wholeFile = (message: string): SettingsProblem => ({
  line: 1,
  column: 1,
  path: '',
  message,
  serverId: undefined,
})

const faulty = (
  problems: readonly SettingsProblem[],
  notices: readonly SettingsProblem[],
  bare: Settings,
): ParsedSettings => ({ settings: undefined, usable: undefined, bare, problems, notices })

/** Clients have the port in their configurations, so other mistakes must not change it. */
function bareSettings(value: unknown): Settings {
  const parsed = Settings.safeParse({ http: { port: step(step(value, 'http'), 'port') } })
  return parsed.success ? parsed.data : Settings.parse({})
}

function locate(text: ConfigText, remark: Remark, atKey: boolean): SettingsProblem {
  return {
    ...text.place(remark.path, atKey),
    path: formatPath(remark.path),
    message: remark.message,
    serverId: remark.serverId,
  }
}

function step(value: unknown, key: string | number): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Reflect.get(value, key)
}

/** A misspelt "command" is one mistake, not also a missing key. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const misspelt = new Set(
    issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => JSON.stringify(path)),
  )
  return issues.filter(({ code, path }) => code !== 'custom' || !misspelt.has(JSON.stringify(path)))
}

/** Tool names replace dots by underscores, so "a.b" and "a_b" collide. */
function collidingIds(ids: readonly string[]): Remark[] {
  const taken = new Map<string, string>()
  return ids.flatMap((id) => {
    const inNames = id.replaceAll('.', '_')
    const other = taken.get(inNames)
    taken.set(inNames, other ?? id)
    if (other === undefined || id === RESERVED_SERVER_ID) return []
    const message = `"${id}" and "${other}" would give their tools the same names. Rename one.`
    return [{ path: ['servers', id], message, serverId: id }]
  })
}

function usablePart(value: unknown, problems: readonly SettingsProblem[]): Settings | undefined {
  const bad = new Set(problems.map((problem) => problem.serverId))
  if (bad.has(undefined)) return undefined
  const servers = Object.entries(step(value, 'servers') ?? {}).filter(([id]) => !bad.has(id))
  const rest = { ...(value as object), servers: Object.fromEntries(servers) }
  const parsed = Settings.safeParse(rest)
  return parsed.success ? parsed.data : undefined
}
