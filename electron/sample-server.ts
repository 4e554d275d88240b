import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, relative, resolve, sep } from 'node:path'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** An MCP server over one folder, which only reads: the Start screen shows a real result with it. */

const MOST_FILES = 3_000
const MOST_BYTES = 2_000_000
/** macOS asks its user for each of these, when they are reached from the home folder. */
const ASKED_FOR = new Set(['Desktop', 'Documents', 'Downloads', 'Library', 'Movies', 'Music', 'Pictures'])

interface Listed {
  readonly path: string
  readonly bytes: number
  readonly modified: string
}

/** Breadth first; hidden and installed files, links and what can't be read are left out. */
async function listFiles(top: string): Promise<Listed[]> {
  const skips = (folder: string, name: string): boolean =>
    name.startsWith('.') ||
    name === 'node_modules' ||
    (process.platform === 'darwin' && folder === homedir() && ASKED_FOR.has(name))
  const files: Listed[] = []
  const folders = [top]
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (files.length >= MOST_FILES) return files
      if (skips(folder, entry.name)) continue
      const path = join(folder, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (entry.isFile()) {
        const found = await stat(path).catch(() => undefined)
        if (found)
          files.push({
            path: relative(top, path).replaceAll(sep, '/'),
            bytes: found.size,
            modified: found.mtime.toISOString(),
          })
      }
    }
  }
  return files
}

async function readInside(top: string, path: string): Promise<string> {
  const file = await realpath(resolve(top, path))
  if (!file.startsWith(top.endsWith(sep) ? top : top + sep))
    throw new Error(`${path} is outside ${top}, the folder that this server reads.`)
  const { size } = await stat(file)
  if (size > MOST_BYTES)
    throw new Error(`${path} has ${size} bytes. This server reads files up to ${MOST_BYTES} bytes.`)
  return readFile(file, 'utf8')
}

const top = await realpath(process.argv[2] ?? '.')
const server = new McpServer({ name: 'sluice-sample', version: '1' })
const annotations = { readOnlyHint: true }
server.registerTool(
  'list_folder',
  { description: `Lists the files below ${top}, with size and date, as JSON.`, annotations },
  async () => ({ content: [{ type: 'text', text: JSON.stringify(await listFiles(top), null, 2) }] }),
)
server.registerTool(
  'read_file',
  {
    description: `Returns the text of a file below ${top}.`,
    inputSchema: z.object({ path: z.string().describe('Relative to the folder.') }),
    annotations,
  },
  async ({ path }) => ({ content: [{ type: 'text', text: await readInside(top, path) }] }),
)
await server.connect(new StdioServerTransport())
