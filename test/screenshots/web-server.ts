// A server that returns web pages, one with an injected order: node web-server.ts FOLDER. Pages are the folder's
// files, by name.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'

const [folder = ''] = process.argv.slice(2)
const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const tools = [
  {
    name: 'fetch_page',
    description: 'Fetches a page and returns its text.',
    inputSchema: {
      type: 'object',
      properties: {
        page: { type: 'string', description: 'Name of the page.' },
        format: {
          type: 'string',
          enum: ['text', 'html'],
          description: 'How it is returned.',
          default: 'text',
        },
        max_length: { type: 'integer', description: 'At most this many characters.', default: 200_000 },
      },
      required: ['page'],
    },
    annotations: { readOnlyHint: true },
  },
]

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) return
    const answers: Record<string, () => object> = {
      initialize: () => ({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'web', version: '1.4.0' },
      }),
      ping: () => ({}),
      'tools/list': () => ({ tools }),
      'tools/call': () => ({
        content: [
          { type: 'text', text: readFileSync(join(folder, basename(params.arguments.page)), 'utf8') },
        ],
      }),
    }
    try {
      const answer = answers[method]
      send(answer ? { id, result: answer() } : { id, error: { code: -32601, message: 'Method not found' } })
    } catch (error) {
      send({ id, result: { content: [{ type: 'text', text: String(error) }], isError: true } })
    }
  })
  .on('close', () => process.exit(0))
