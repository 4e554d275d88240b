import { scryptSync } from 'node:crypto'
import type { ServerSettings } from '../../../shared/settings.ts'
import { decidesLaunch, isFunctionOfShell } from '../ground/secrets/launch-variables.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import {
  HIDDEN,
  isSwitch,
  namesSecret,
  replaceParts,
  secretsInArguments,
  secretsOfAddress,
} from '../ground/secrets/secret-arguments.ts'
import { isKeptKey } from '../ground/secrets/plain-keys.ts'
import { shownVariable } from '../ground/secrets/pinned-variable.ts'
import { canonicalDefinition } from '../protocol/definition-hash.ts'

/**
 * Identifies the server, instead of the name in config.json. Verbatim except secret values: names of variables and
 * headers, and values of variables that decide what is started. Other values are pinned beside it (`variablesOf`). A
 * new key isn't a new server: values recognised as keys by name and form don't count. What a program might run
 * (`--auth evil`) counts by hash: neither shown nor replaceable without approval.
 */
export function launchOf(settings: ServerSettings): JsonObject {
  const { command, args = [], env = {}, cwd, url = '', headers = {} } = settings
  if (command === undefined) return { url: blankAddress(url), headers: Object.keys(headers).sort() }
  const variables = Object.entries(env).filter(([name, value]) => decidesLaunch(name, value))
  return {
    command,
    args: blankArguments(args, command),
    env: Object.keys(env).sort(),
    ...(variables.length > 0
      ? { values: Object.fromEntries(variables.map(([name, value]) => [name, blankVariable(name, value)])) }
      : {}),
    ...(cwd === undefined ? {} : { cwd }),
  }
}

/**
 * Of other variables and of headers, pinned beside the launch: a change is shown by itself, and blocks the server
 * until approved. `serverId`: keys moved to the keychain (`sluice secrets keep`) equal the former ones.
 */
export function variablesOf(serverId: string, settings: ServerSettings): JsonObject | undefined {
  const { command, env = {}, headers = {} } = settings
  const known = shownVariables.get(settings)
  if (known?.serverId === serverId) return known.shown
  const [field, values] =
    command === undefined
      ? (['headers', Object.entries(headers)] as const)
      : (['env', Object.entries(env).filter(([name, value]) => !decidesLaunch(name, value))] as const)
  const shownValue = (name: string, value: string): string =>
    isKeptKey(serverId, name, value) && namesSecret(name) && !isSwitch(name)
      ? HIDDEN
      : shownVariable(name, value, (secret) => hashed(secret, `value of ${name}`))
  const shown =
    values.length === 0
      ? undefined
      : { [field]: Object.fromEntries(values.map(([name, value]) => [name, shownValue(name, value)])) }
  shownVariables.set(settings, { serverId, shown })
  return shown
}

export const holdsOnlyKeys = (variables: string): boolean =>
  Object.values(JSON.parse(variables) as Record<string, object>).every((values) =>
    Object.values(values).every((value) => value === HIDDEN),
  )

const shownVariables = new WeakMap<
  ServerSettings,
  { readonly serverId: string; readonly shown: JsonObject | undefined }
>()

export const identityOf = (settings: ServerSettings): string => canonicalDefinition(launchOf(settings)).hash

function blankArguments(args: readonly string[], command: string): string[] {
  const secrets = secretsInArguments(args, command)
  return args.map((arg, index) =>
    replaceParts(arg, secrets[index] ?? [], ({ mayBeWord }, value) =>
      mayBeWord ? hashed(value, `${command} ${args[index - 1] ?? ''}`) : HIDDEN,
    ),
  )
}

const blankAddress = (text: string): string => replaceParts(text, secretsOfAddress(text, 0))

/** Registry addresses may contain a password; Git's variables may be headers or programs. */
const blankVariable = (name: string, value: string): string =>
  /^GIT_CONFIG_VALUE_/i.test(name)
    ? hashed(value, name)
    : isFunctionOfShell(value)
      ? value
      : value
          .split(/(\s+)/)
          .map((part) => blankAddress(part))
          .join('')

const hashes = new Map<string, string>()
const MOST_HASHES = 1000

/** Salted and slow, because passwords are short. Cached, because identities are computed often. */
function hashed(value: string, place: string): string {
  const key = JSON.stringify([place, value])
  const known = hashes.get(key)
  if (known !== undefined) return known
  const hash = scryptSync(value, `sluice launch ${place}`, 12, { N: 4096, r: 8, p: 1 }).toString('hex')
  if (hashes.size >= MOST_HASHES) hashes.clear()
  const shown = `${HIDDEN}#${hash}`
  hashes.set(key, shown)
  return shown
}
