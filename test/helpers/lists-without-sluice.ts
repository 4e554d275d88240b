import { spawn } from 'node:child_process'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'

/** Between two tool lists, without Sluice's code. */
export function differences(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): { place: string; before: string; after: string }[] {
  const places = (tools: readonly JsonObject[]): Map<string, string> =>
    new Map(
      tools.flatMap((each) =>
        leaves(each).map(([path, text]) => [`tool ${String(each['name'])}: ${path}`, text]),
      ),
    )
  const [old, young] = [places(before), places(after)]
  return [...new Set([...old.keys(), ...young.keys()])].flatMap((place) => {
    const [was, is] = [old.get(place), young.get(place)]
    return was === is ? [] : [{ place, before: was ?? '', after: is ?? '' }]
  })
}

export function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0)
    return [[path, JSON.stringify(value)]]
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([key, item]) => {
    const step = /^[\w$-]+$/.test(key) ? `${path === '' ? '' : '.'}${key}` : `["${key}"]`
    return leaves(item, `${path}${step}`)
  })
}

/** The server's list without Sluice. */
export async function toolsOf(script: string, folder: string): Promise<JsonObject[]> {
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'ignore'] })
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'x', version: '1' },
  }
  const messages = [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ]
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let output = ''
  for await (const chunk of child.stdout) {
    output += String(chunk)
    const line = output.split('\n').find((each) => each.includes('"id":2'))
    if (line === undefined || !output.endsWith('\n')) continue
    child.kill()
    return JSON.parse(line).result.tools
  }
  throw new Error('no answer')
}
