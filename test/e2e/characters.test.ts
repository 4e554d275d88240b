import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { engineWorld } from '../helpers/engine-world.ts'
import { programOf } from '../helpers/program-of.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** Neither letters nor line feeds, but hiding nothing. */
const FILES: Readonly<Record<string, string>> = {
  'form-feed': 'Part one\n\fPart two\nlast line\n',
  ansi: '\x1b[1;31merror\x1b[0m: it failed\x1b[K\nlast line\n',
  'zero-width-space': 'a\u200bb and \u2060more\nlast line\n',
  backspace: 'N\bNA\bAM\bME\bE\nab\b\b\bcd\nlast line\n',
  'soft-hyphen': 'in\u00advis\u00adible\nlast line\n',
  nul: 'one\0two\0\nlast line\n',
  'byte-order-mark': '\ufeffkey = value\nlast line\n',
  'vertical-tab': 'a\vb\u0085c\nlast line\n',
  code: 'const n7 = "\x1f"; const bell = "\x07\x7f";\nlast line\n',
  returns: '10 %\r50 %\r100 %\nlast line\n',
  'right-to-left': 'גרסה 2.0 (beta)\u200f של התוכנה\n\u202bשלום עולם\nlast line\n',
  isolates: 'Hello \u2068Ann\u2069, you have mail\nlast line\n',
  'wrong-encoding': 'nÄ\x9bco, Ä\x9bd and â\x80\x9cquotedâ\x80\x9d\nlast line\n',
}
/** Each hides something by another means; the shown text must say so. */
const HIDING: Readonly<Record<string, string>> = {
  'erased line': 'rm -rf ~ # evil\x1b[2K\rls\nlast line\n',
  'moved up': 'first\n\x1b[1A\x1b[2Ksecond\nlast line\n',
  'concealed words': 'visible \x1b[8mconcealed\x1b[0m\nlast line\n',
  title: 'a\x1b]0;a title\x07b\nlast line\n',
  link: '\x1b]8;;https://other.example\x1b\\docs\x1b]8;;\x1b\\\nlast line\n',
  clipboard: 'a\x1b]52;c;ZXZpbA==\x07b\nlast line\n',
  'reordered code': 'if (level != "user\u202e \u2066// Check if admin\u2069 \u2066") {\nlast line\n',
  'tag letters': `hi ${tags('ok')}\nlast line\n`,
  'bits in nothing': `hi\u200b\u200c\u200b\u200c\u200b\u200b\u200c\u200c\nlast line\n`,
}

function tags(text: string): string {
  return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
}

let world: Awaited<ReturnType<typeof engineWorld>>
let folder = ''
const ends: (() => Promise<void> | void)[] = []

beforeAll(async () => {
  const whenDone = (end: () => Promise<void> | void): void => void ends.unshift(end)
  folder = realpathSync(temporaryFolder(whenDone))
  mkdirSync(join(folder, 'files'))
  const files = programOf('@modelcontextprotocol/server-filesystem', 'mcp-server-filesystem')
  const server = { command: process.execPath, args: [files, join(folder, 'files')] }
  // Some hide so much that it counts as an attack: here only the display matters.
  world = await engineWorld(
    { s: server, w: { ...server, guard: { results: 'warn' } } } as never,
    { approvals: { firstSight: 'trust' } },
    { whenDone },
  )
})

afterAll(async () => {
  for (const end of ends) await end()
})

const WAYS = [
  { kind: 'server', era: 'legacy' },
  { kind: 'server', era: 'modern' },
  { kind: 'all', era: 'legacy' },
] as const

/** `tool` names one of it, for one server or all. */
async function open({ kind, era }: (typeof WAYS)[number], serverId: string) {
  const { client } = await world.connect({ era, scope: kind === 'all' ? { kind } : { kind, serverId } })
  await client.listTools()
  return { client, tool: (name: string) => (kind === 'all' ? `${serverId}__${name}` : name) }
}

type Result = JsonObject & { content: { text: string }[] }

async function call(client: Client, name: string, args: JsonObject): Promise<Result> {
  return (await client.callTool({ name, arguments: args })) as never
}

describe.each(WAYS)('a file that is read and written back ($kind, $era)', (way) => {
  it('is the same file, and can be edited with exactly what was read', async () => {
    const { client, tool } = await open(way, 's')
    for (const [name, original] of Object.entries(FILES)) {
      const path = join(folder, 'files', `${name}.txt`)
      writeFileSync(path, original)
      const read = await call(client, tool('read_text_file'), { path })
      expect(read.content, name).toHaveLength(1)
      expect(read.content[0]?.text, name).toBe(original)
      const structured: unknown = read['structuredContent'] ?? { content: original }
      expect(structured, name).toEqual({ content: original })
      const firstLine = original.slice(0, original.indexOf('\nlast line'))
      const edits = [{ oldText: `${firstLine}\n`, newText: `${firstLine}\n` }]
      const edited = await call(client, tool('edit_file'), { path, edits })
      expect(edited['isError'], `${name}: ${edited.content[0]?.text}`).toBeFalsy()
      expect(readFileSync(path, 'utf8'), name).toBe(original)
      await call(client, tool('write_file'), { path, content: read.content[0]?.text })
      expect(readFileSync(path, 'utf8'), name).toBe(original)
    }
  })

  it('says what was taken out of it where it hides something, and names the original', async () => {
    const { client, tool } = await open(way, 'w')
    for (const [name, original] of Object.entries(HIDING)) {
      const path = join(folder, 'files', 'hiding.txt')
      writeFileSync(path, original)
      const read = await call(client, tool('read_text_file'), { path })
      const note = read.content.at(-1)?.text ?? ''
      expect(note, name).toMatch(/^\[Sluice took out what hides text here: .*proxy_read/)
      // oxlint-disable-next-line no-control-regex -- exactly what must be gone
      expect(JSON.stringify(read), name).not.toMatch(/\\u001b(?!\[0m)|[\u202a-\u202e\u2066-\u2069]|\udb40/)
      const id = /id: (r_\w+)/.exec(note)?.[1] ?? ''
      const kept = world.engine.results.getForUser(id)
      expect(await world.engine.results.load(kept), name).toMatchObject({ content: [{ text: original }] })
      const shown = await call(client, 'proxy_read', { id })
      expect(JSON.stringify(shown.content), name).toMatch(/␛|⟨|RLO|tags/)
      expect(shown.content.at(-1)?.text, name).toMatch(/^\[Sluice put marks/)
    }
  })
})
