import { SECRET_MARK } from '../../../shared/api/settings.ts'
import { HIDDEN, hideInArgs, hideInUrl } from '../ground/secrets/hide-secrets.ts'
import { isSecretName } from '../ground/secrets/redact.ts'
import { SluiceError } from '../ground/errors.ts'
import { isJsonObject } from '../protocol/json-rpc.ts'
import { formatPath, type SettingsPath } from '../settings/settings-problem.ts'

/** Only secret values. */
const SECRET_MAPS = new Set(['env', 'envs', 'environment', 'headers', 'http_headers'])
/** `${env:NAME}` or `${secret:NAME}`, alone or after a word such as Bearer. */
const ONLY_PLACEHOLDER = /^(?:\w+ )?\$\{(?:env|secret):[^}]*\}$/

const marked = (text: string): string => text.replaceAll(HIDDEN, SECRET_MARK)

/** `siblings`: its list, because an argument's meaning depends on the previous one. */
export function shownText(text: string, path: SettingsPath, siblings?: readonly unknown[]): string {
  if (text === '' || ONLY_PLACEHOLDER.test(text)) return text
  const key = path.at(-1)
  if (path.slice(0, -1).some((part) => SECRET_MAPS.has(String(part)))) return SECRET_MARK
  if (typeof key === 'number' && siblings) {
    const shown = hideInArgs(siblings.map((item) => (typeof item === 'string' ? item : '')))[key] ?? text
    return ONLY_PLACEHOLDER.test(text.replace(/^[^=:]*[=:]\s*/, '')) ? text : marked(shown)
  }
  if (typeof key === 'string' && isSecretName(key) && isSecretPlace(path)) return SECRET_MARK
  return marked(hideInUrl(text))
}

/** Elsewhere keys are tool names or settings such as "tokenThreshold". */
const isSecretPlace = (path: SettingsPath): boolean =>
  path[0] === 'servers' ||
  path[0] === 'mcpServers' ||
  path[0] === 'guardDetectors' ||
  path[0] === 'inputs' ||
  path.slice(0, 3).join('.') === 'model.endpoint.extra'

function replaceTexts<Value>(
  value: Value,
  path: SettingsPath,
  replace: (text: string, at: SettingsPath, siblings?: readonly unknown[]) => string,
): Value {
  const walk = (part: unknown, at: SettingsPath, siblings?: readonly unknown[]): unknown => {
    if (typeof part === 'string') return replace(part, at, siblings)
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...at, index], part))
    if (!isJsonObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, walk(item, [...at, key])]))
  }
  // Replaces texts only by texts.
  return walk(value, path) as Value
}

export function markSecrets<Value>(value: Value, path: SettingsPath = []): Value {
  return replaceTexts(value, path, shownText)
}

/** `current`: the whole settings. Throws BAD_INPUT for an unknown mark, because saving it would lose a secret. */
export function restoreSecrets<Value>(value: Value, current: unknown, path: SettingsPath = []): Value {
  return replaceTexts(value, path, (text, at, siblings) => restoreText(text, at, current, siblings))
}

export function restoreText(
  text: string,
  path: SettingsPath,
  current: unknown,
  siblings?: readonly unknown[],
): string {
  if (!text.includes(SECRET_MARK)) return text
  const key = path.at(-1)
  const parent = valueIn(current, path.slice(0, -1))
  if (typeof key === 'number' && Array.isArray(parent) && siblings) {
    // Arguments move: the nth equal mark means the nth such secret.
    const wanted = siblings.slice(0, key).filter((item) => item === text).length
    const candidates = parent.filter(
      (item, index): item is string =>
        typeof item === 'string' && shownText(item, [...path.slice(0, -1), index], parent) === text,
    )
    const found = candidates[wanted]
    if (candidates.length === siblings.filter((item) => item === text).length && found !== undefined)
      return found
  } else {
    const known = valueIn(current, path)
    if (typeof known === 'string' && shownText(known, path) === text) return known
  }
  throw new SluiceError(
    'BAD_INPUT',
    `${formatPath(path)} holds "${SECRET_MARK}", but there is no secret at this place that it could stand for. Write the value itself, or \${env:NAME}.`,
  )
}

const valueIn = (value: unknown, path: SettingsPath): unknown =>
  path.reduce<unknown>(
    (rest, key) =>
      typeof rest === 'object' && rest !== null && Object.hasOwn(rest, key)
        ? Reflect.get(rest, key)
        : undefined,
    value,
  )
