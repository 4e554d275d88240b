import { PERSONAL_DATA_TYPES } from '../../shared/masking-policy.ts'
import type { ServerSettings } from '../../shared/settings.ts'

type PolicyPart = 'toolList' | 'compression' | 'cache' | 'guard' | 'masking'
export type Policies = Pick<ServerSettings, PolicyPart>

export interface PolicyField {
  readonly part: PolicyPart
  readonly key: string
  readonly label: string
  readonly choices?: readonly (readonly [value: string, label: string])[]
  /** In characters. */
  readonly longestText?: number
  /** Several choices. */
  readonly isSet?: boolean
  /** Only for whole lists. */
  readonly isOfServer?: boolean
  /** 0 to 1. */
  readonly isShare?: boolean
}

const choice = (
  part: PolicyPart,
  key: string,
  label: string,
  choices: Readonly<Record<string, string>>,
): PolicyField => ({ part, key, label, choices: Object.entries(choices) })

export const policyFields: readonly PolicyField[] = [
  ...[
    choice('toolList', 'slim', 'Descriptions and schemas', {
      false: 'as the server has them',
      true: 'shorter, with the same meaning',
    }),
    choice('toolList', 'lazy', 'Tools are listed', {
      false: 'all',
      true: 'as find_tool, describe_tool, call_tool',
    }),
    choice('toolList', 'schemas', 'Schemas that strict apps refuse', {
      auto: 'made plain for apps that need it',
      plain: 'made plain for all',
      'as-is': 'as the server has them',
    }),
  ].map((field) => ({ ...field, isOfServer: true })),
  choice('compression', 'strategy', 'Shortening', {
    auto: 'what pays: by content',
    deterministic: 'by content, never a model',
    model: 'by content, and words of a model',
    preview: 'beginning only',
    off: 'off',
  }),
  choice('compression', 'summary', 'Words of a model', {
    'with-extract': 'before what rules leave',
    alone: 'alone',
  }),
  {
    part: 'compression',
    key: 'customInstructions',
    label: 'What a model’s summary needs',
    longestText: 2000,
  },
  { part: 'compression', key: 'tokenThreshold', label: 'Untouched up to, tokens' },
  { part: 'compression', key: 'maxOutputTokens', label: 'Shortened to, tokens' },
  { part: 'compression', key: 'holdOut', label: 'Passes whole, one result of' },
  choice('compression', 'goalParameter', 'Model may name a goal', {
    auto: 'once results are large',
    always: 'always',
    never: 'never',
  }),
  choice('guard', 'results', 'Attacks in results', {
    quarantine: 'quarantine',
    mark: 'mark for the model',
    warn: 'only note',
    off: 'do not look',
  }),
  choice('guard', 'arguments', 'Attacks in arguments', {
    refuse: 'refuse the call',
    warn: 'only note',
    off: 'do not look',
  }),
  choice('guard', 'flow', "Another server's text in arguments", {
    ask: 'ask before the call',
    warn: 'only note',
    off: 'do not look',
  }),
  { part: 'guard', key: 'threshold', label: 'An attack from, 0 to 1', isShare: true },
  { part: 'guard', key: 'markFrom', label: 'A note for the model from, 0 to 1', isShare: true },
  choice('guard', 'controlCharacters', 'What hides text', {
    strip: 'taken out',
    visualise: 'made visible',
    keep: 'kept',
  }),
  choice('masking', 'direction', 'Personal data', {
    off: 'as it is',
    'from-server': 'hidden from the server',
    'from-model': 'hidden from the model',
  }),
  choice('cache', 'enabled', 'Cache', { true: 'on', false: 'off' }),
  choice('cache', 'readOnly', 'It only reads', {
    no: 'no, or not known',
    marked: 'if its server says so',
    yes: 'yes',
  }),
  { part: 'cache', key: 'ttlSeconds', label: 'Cached for, seconds' },
  {
    part: 'masking',
    key: 'types',
    label: 'What counts as personal data',
    choices: PERSONAL_DATA_TYPES.map((type) => [type, personalDataWord(type)] as const),
    isSet: true,
  },
]

/** For example `credit_card`. */
export function personalDataWord(type: string): string {
  const words: Readonly<Record<string, string>> = {
    ssn: 'US social security number',
    ip_address: 'IP address',
    iban: 'IBAN',
    api_key: 'API key',
    person: 'name (a guess)',
    address: 'postal address (a guess)',
  }
  return words[type] ?? type.replaceAll('_', ' ')
}

export function policyValue(policies: Policies, { part, key }: PolicyField): unknown {
  return Object.entries(policies[part] ?? {}).find(([name]) => name === key)?.[1]
}

export function withPolicy(
  policies: Policies,
  { part, key }: PolicyField,
  value: unknown,
): Partial<Policies> {
  const next: Record<string, unknown> = { ...policies[part] }
  if (value === undefined) delete next[key]
  else next[key] = value
  return { [part]: Object.keys(next).length > 0 ? next : undefined }
}

/** Undefined if empty. */
export function readPolicy(field: PolicyField, text: string): unknown {
  if (text === '') return undefined
  if (field.longestText !== undefined) return text
  if (field.choices === undefined) return Number(text)
  return text === 'true' ? true : text === 'false' ? false : text
}
