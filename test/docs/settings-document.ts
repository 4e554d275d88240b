import { z } from 'zod'
import { BUILT_IN_POLICY } from '../../shared/policy.ts'
import { Settings } from '../../shared/settings.ts'

interface Node {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Node[]
  readonly oneOf?: readonly Node[]
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
}

/** What a key of the user's stands for. */
const KEYS: Readonly<Record<string, string>> = {
  servers: 'ID',
  tools: 'TOOL',
  builtIn: 'APP',
  clients: 'CLIENT',
  budgets: 'NAME',
  profiles: 'NAME',
}

/** Which servers and tools may override; listed once, at the top. */
const POLICIES: ReadonlySet<string> = new Set(['compression', 'cache', 'guard', 'masking', 'toolList'])

/** The generated part of docs/settings.md: a table for each group of settings, from their schema. */
export function settingsTables(): string {
  const root = z.toJSONSchema(Settings, { io: 'input' }) as Node
  const groups = Object.entries(root.properties ?? {}).filter(([key]) => key !== '$schema')
  const [plain, grouped] = [
    groups.filter(([key, node]) => rowsOf(key, node).length === 1),
    groups.filter(([key, node]) => rowsOf(key, node).length > 1),
  ]
  return [
    ...grouped.map(([key, node]) => section(key, node.description ?? '', rowsOf(key, node))),
    section(
      'Others',
      '',
      plain.flatMap(([key, node]) => rowsOf(key, node)),
    ),
  ].join('\n\n')
}

interface Row {
  readonly path: string
  readonly node: Node
}

const section = (title: string, about: string, rows: readonly Row[]): string =>
  [
    `### ${title}`,
    ...(about === '' ? [] : ['', plain(about)]),
    '',
    '| setting | values | default | meaning |',
    '|---|---|---|---|',
    ...rows.map(
      ({ path, node }) =>
        `| \`${path}\` | ${valuesOf(node)} | ${defaultOf(path, node)} | ${plain(node.description ?? '')} |`,
    ),
  ].join('\n')

function rowsOf(path: string, node: Node): Row[] {
  const parts = path.split('.')
  const inner = free(node)
  if (inner?.properties || (inner && KEYS[parts.at(-1) ?? ''] && free(inner)))
    return [
      ...(node.description === undefined || parts.length === 1 ? [] : [{ path, node }]),
      ...rowsOf(`${path}.${KEYS[parts.at(-1) ?? ''] ?? 'NAME'}`, inner),
    ]
  if (inner && parts[0] === 'builtIn') return [{ path, node }]
  if (!node.properties) return [{ path, node }]
  const isOverride = parts.length > 1
  return Object.entries(node.properties).flatMap(([key, child]) =>
    isOverride && POLICIES.has(key)
      ? [{ path: `${path}.${key}`, node: { description: `As \`${key}\` at the top, for this alone.` } }]
      : rowsOf(`${path}.${key}`, child),
  )
}

const free = ({ additionalProperties }: Node): Node | undefined =>
  typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0
    ? additionalProperties
    : undefined

function valuesOf(node: Node): string {
  const options = [...(node.anyOf ?? []), ...(node.oneOf ?? [])]
  if (options.length > 0) return [...new Set(options.map(valuesOf))].join(', ')
  if (node.enum) return node.enum.map((value) => `\`${String(value)}\``).join(', ')
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``
  if (node.type === 'array') return `list${node.items?.enum ? ` of ${valuesOf(node.items)}` : ''}`
  if (node.type === 'boolean') return '`true`, `false`'
  if (node.type === 'integer') return 'whole number'
  if (node.type === 'string') return 'text'
  return typeof node.type === 'string' ? node.type : ''
}

const builtIn: unknown = { ...BUILT_IN_POLICY, ...Settings.parse({}) }

/** Those of policies are laid under the whole. */
function defaultOf(path: string, { default: own }: Node): string {
  const value =
    own ??
    path
      .split('.')
      .reduce<unknown>((part, key) => (part as Partial<Record<string, unknown>> | undefined)?.[key], builtIn)
  return value === undefined || typeof value === 'function'
    ? ''
    : `\`${JSON.stringify(value).replaceAll('|', '\\|')}\``
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')
