import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Machine } from '../../../electron/engine/ground/surroundings.ts'
import { CLIENTS } from '../../../electron/engine/client-configs/clients.ts'
import { clientWorld, fixture } from '../../helpers/client-world.ts'

// Each app's fixtures in editor and platform variants: line ends, byte order mark, no final newline, a comment after
// a tab, an unknown field. Each must be byte-identical after wrap and unwrap. The look doesn't depend on the platform: each of
// the three has a third of them, dealt out in turn over all fixtures of an app.

const MACHINES: readonly Machine[] = [
  { platform: 'darwin', homeDir: '/Users/me', env: {} },
  { platform: 'linux', homeDir: '/home/me', env: {} },
  {
    platform: 'win32',
    homeDir: 'C:\\Users\\me',
    env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' },
  },
]
const folder = resolve(import.meta.dirname, '../../fixtures/clients')
const apps = CLIENTS.filter(({ readOnly }) => readOnly === undefined)

interface Variant {
  readonly look: string
  readonly bytes: Buffer
}

/** Distinct variants of one fixture. */
function variantsOf(app: string, name: string): Variant[] {
  const text = fixture(app, name)
    .toString()
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
  const withMore = name.endsWith('json')
    ? `//\ta remark behind a tab\n${text.replace('{', '{ "x-unknown": { "deep": [1, null, "\\u00fc"] }, ')}`
    : name.endsWith('toml')
      ? `#\ta remark behind a tab\nx-unknown = { deep = [1, "\u00fc"] }\n${text}`
      : `#\ta remark behind a tab\nx-unknown: { deep: [1, null, "\u00fc"] }\n${text}`
  const contents = {
    'as it is': text,
    'with a remark, a tab and an unknown field': withMore,
    'without a last line break': text.replace(/\n+$/, ''),
  }
  const all = Object.entries(contents).flatMap(([kind, content]) =>
    ['\n', '\r\n'].flatMap((end) =>
      ['', '\uFEFF'].map((mark): Variant => {
        const look = `${kind}${end === '\n' ? '' : ', CRLF'}${mark === '' ? '' : ', with a mark'}`
        return { look, bytes: Buffer.from(mark + content.replaceAll('\n', end)) }
      }),
    ),
  )
  return [...new Map(all.map((variant) => [variant.bytes.toString('base64'), variant])).values()]
}

const namesOf = (app: string): string[] =>
  readdirSync(resolve(folder, app)).filter((name) => !name.startsWith('.'))

describe.each(MACHINES.map((machine) => ({ machine, platform: machine.platform })))(
  'on $platform',
  ({ machine }) => {
    const turn = MACHINES.indexOf(machine)
    test.each(apps.map(({ id }) => ({ id })))(
      '$id: every look of every fixture comes back',
      async ({ id }) => {
        const client = CLIENTS.find((spec) => spec.id === id)
        const seen = { comment: 0, tab: 0, crlf: 0, mark: 0, unknown: 0 }
        let count = 0
        let dealt = 0
        for (const name of namesOf(id)) {
          const suffix = name.slice(name.lastIndexOf('.'))
          const all = (client?.files(machine) ?? []).flat().map((path) => path.replaceAll('*', 'x'))
          const path = all.find((candidate) => candidate.endsWith(suffix)) ?? all[0] ?? ''
          for (const { look, bytes } of variantsOf(id, name)) {
            if (dealt++ % MACHINES.length !== turn) continue
            const world = clientWorld()
            world.files.put(path, bytes)
            const preview = await world.wrap({ client: id, path })
            expect(preview.servers.length, `${name} ${look}`).toBeGreaterThan(0)
            expect(Buffer.from(world.files.read(path)).equals(bytes), `${name} ${look}: changed`).toBe(false)
            expect(world.unwrap({ client: id, path }).isExact, `${name} ${look}`).toBe(true)
            expect(Buffer.from(world.files.read(path)).equals(bytes), `${name} ${look}: restored`).toBe(true)
            const text = bytes.toString()
            count++
            seen.comment += Number(/^[ \t]*(?:\/\/|#)/m.test(text.replace(/^\uFEFF/, '')))
            seen.tab += Number(text.includes('\t'))
            seen.crlf += Number(text.includes('\r\n'))
            seen.mark += Number(text.startsWith('\uFEFF'))
            seen.unknown += Number(text.includes('x-unknown'))
          }
        }
        expect(count).toBeGreaterThanOrEqual(8)
        for (const [what, times] of Object.entries(seen)) expect(times, what).toBeGreaterThanOrEqual(1)
      },
    )
  },
)
