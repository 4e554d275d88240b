import * as fc from '../../helpers/properties.ts'
import { rounds } from '../../helpers/rounds.ts'
import { describe, expect, test } from 'vitest'
import { tomlFormat } from '../../../electron/engine/client-configs/formats/toml-format.ts'
import { asFile, key, look, roundTrip, text } from './generated-files.ts'

const FILES = 30

describe('generated files: wrapped and unwrapped, every byte back', () => {
  test('TOML files', async () => {
    let wrapped = 0
    const tomlEntry = fc.record(
      {
        command: text.filter((value) => value !== ''),
        args: fc.array(text, { maxLength: 3 }),
        env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,6}$/), text, { maxKeys: 3 }),
        enabled: fc.boolean(),
        startup_timeout_sec: fc.integer({ min: 0, max: 99 }),
      },
      { requiredKeys: ['command'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(key, tomlEntry, { minKeys: 1, maxKeys: 4 }), look, async (map, how) => {
        const content = printToml(map, how.random)
        const anew = (read: unknown) =>
          Object.entries(read as Record<string, unknown>)
            .map(([name, value]) => `${name} = ${tomlFormat.writeInline(value)}\n`)
            .join('')
        if (await roundTrip('/f/config.toml', 'codex', asFile(content, how), anew)) wrapped++
      }),
      { numRuns: FILES },
    )
    expect(wrapped).toBe(rounds(FILES))
  })
})

function printToml(
  servers: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  random: () => number,
): string {
  const quote = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))
  const lines = ['# top', 'model = "x" # the model', '']
  for (const [name, { env, ...fields }] of Object.entries(servers)) {
    const header = `mcp_servers.${quote(name)}`
    const style = random()
    if (random() < 0.5) lines.push(`# about ${quote(name).replaceAll(/[\r\n]/g, '')}`)
    lines.push(`[${header}]${random() < 0.3 ? ' # header' : ''}`)
    const pairs = Object.entries(fields).map(([key, value]) => `${key} = ${tomlFormat.writeInline(value)}`)
    if (env !== undefined && style < 0.3) pairs.push(`env = ${tomlFormat.writeInline(env)}`)
    const variables = Object.entries(env ?? {}).map(
      ([key, value]) => `${key} = ${tomlFormat.writeInline(value)}`,
    )
    if (env !== undefined && style >= 0.3 && style < 0.5)
      pairs.push(...variables.map((line) => `env.${line}`))
    for (const line of pairs)
      lines.push((random() < 0.2 ? '\t' : '') + line + (random() < 0.2 ? ' # why' : ''))
    if (env !== undefined && style >= 0.5) lines.push('', `[${header}.env]`, ...variables)
    lines.push('')
  }
  lines.push('[tools]', 'web_search = true')
  return lines.join('\n') + (random() < 0.5 ? '\n' : '')
}
