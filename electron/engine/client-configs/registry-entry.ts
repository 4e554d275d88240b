import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { fromPairs } from './formats/edit-value.ts'

type Entry = Readonly<Record<string, unknown>>

/** A `server.json` of the MCP registry as an entry of an app's file, with its name; undefined if nothing of it can be started. */
export function entryOfRegistry(value: unknown): readonly [name: string, entry: Entry] | undefined {
  if (!isJsonObject(value)) return undefined
  const name = nameOf(textIn(value, 'name'))
  for (const remote of objectsIn(value, 'remotes')) {
    const url = textIn(remote, 'url')
    if (url !== '')
      return [
        name,
        {
          url,
          ...(remote['type'] === 'sse' && { type: 'sse' }),
          ...withPairs('headers', objectsIn(remote, 'headers')),
        },
      ]
  }
  for (const found of objectsIn(value, 'packages')) {
    const launch = launchOf(found)
    if (launch) return [name, { ...launch, ...withPairs('env', objectsIn(found, 'environmentVariables')) }]
  }
  return undefined
}

/** `io.github.owner/weather-mcp` → weather. */
const nameOf = (name: string): string =>
  (name.split('/').at(-1) ?? name).replace(
    /^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g,
    '',
  ) || 'server'

function launchOf(found: JsonObject): Entry | undefined {
  const identifier = textIn(found, 'identifier')
  const version = textIn(found, 'version')
  const own = argumentsIn(found, 'packageArguments')
  const runtime = argumentsIn(found, 'runtimeArguments')
  if (identifier === '') return undefined
  const versioned = (mark: string): string => (version === '' ? identifier : `${identifier}${mark}${version}`)
  switch (found['registryType']) {
    case 'npm':
      return {
        command: 'npx',
        args: ['-y', ...runtime.filter((word) => word !== '-y'), versioned('@'), ...own],
      }
    case 'pypi':
      return { command: 'uvx', args: [...runtime, versioned('=='), ...own] }
    case 'oci': {
      const image = identifier.includes(':') ? identifier : versioned(':')
      const passed = objectsIn(found, 'environmentVariables').flatMap((each) => ['-e', textIn(each, 'name')])
      return { command: 'docker', args: ['run', '-i', '--rm', ...passed, ...runtime, image, ...own] }
    }
    default:
      return undefined
  }
}

/** What its user has to fill in stays as `<name>`. */
const argumentsIn = (found: JsonObject, key: string): string[] =>
  objectsIn(found, key).flatMap((each) => {
    const name = textIn(each, 'name')
    const value = textIn(each, 'value') || textIn(each, 'default')
    if (each['type'] === 'named') return value === '' ? [name] : [name, value]
    return [value || `<${textIn(each, 'valueHint') || name || 'value'}>`]
  })

/** Values are variables of the same name, so that no key is asked for here. */
const withPairs = (key: string, given: readonly JsonObject[]): Entry => {
  const pairs = given.flatMap((each): [string, unknown][] => {
    const name = textIn(each, 'name')
    const value = textIn(each, 'value') || textIn(each, 'default')
    return name === '' ? [] : [[name, value || `\${env:${name.replaceAll(/\W/g, '_').toUpperCase()}}`]]
  })
  return pairs.length === 0 ? {} : { [key]: fromPairs(pairs) }
}

const textIn = (value: JsonObject, key: string): string => {
  const found = value[key]
  return typeof found === 'string' ? found : ''
}

const objectsIn = (value: JsonObject, key: string): JsonObject[] => {
  const found = value[key]
  return Array.isArray(found) ? found.filter(isJsonObject) : []
}
