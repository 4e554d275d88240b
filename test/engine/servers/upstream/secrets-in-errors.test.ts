import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createRedactor } from '../../../../electron/engine/ground/secrets/redact.ts'
import { expandServer, secretsOf } from '../../../../electron/engine/settings/expand-env.ts'
import type { ServerSettings } from '../../../../shared/settings.ts'
import { openTestLink } from '../../../helpers/upstream.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const PASSWORD = 'hunter2-of-ann'
const TOKEN = 'tok-4711-very-secret'

/** As in an engine: settings with all values filled in, and a log that knows their secrets. */
async function failureOf(written: ServerSettings): Promise<string> {
  const settings = expandServer('test', written, {})
  const redactor = createRedactor()
  redactor.add(secretsOf(settings))
  const clean = (text: string): string => redactor.clean({ text }).text
  const opening = openTestLink({ settings, deps: { clean } })
  return opening.then(
    ({ link }) => {
      closing.push(() => link.close())
      return ''
    },
    (error: unknown) => String(error),
  )
}

async function listen(answer: (authorization: string | undefined) => readonly [number, string]) {
  const server = createServer((request, response) => {
    const [status, text] = answer(request.headers.authorization)
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('no secret stands in the error that a client gets', () => {
  test('of a remote server that is away, or refuses: its address is named without credentials', async () => {
    const away = await failureOf({ url: `http://ann:${PASSWORD}@127.0.0.1:9/mcp?token=${TOKEN}` })
    expect(away).toContain(
      'Server "test" is not available: http://127.0.0.1:9/mcp?[redacted] could not be reached',
    )
    const heard: (string | undefined)[] = []
    const port = await listen((authorization) => {
      heard.push(authorization)
      // A gateway's error page, with the secret at the end of the quoted part.
      return [500, `${'x'.repeat(480)} for ${TOKEN}`]
    })
    const refused = await failureOf({ url: `http://ann:${PASSWORD}@127.0.0.1:${port}/mcp?token=${TOKEN}` })
    expect(refused).toContain('answered HTTP 500')
    expect(heard).toContain(`Basic ${Buffer.from(`ann:${PASSWORD}`).toString('base64')}`)
    for (const text of [away, refused]) {
      expect(text).not.toContain(PASSWORD)
      expect(text).not.toContain(TOKEN.slice(0, 8))
    }
  })

  test('of a program that ends: neither its arguments nor its last words, also where they are cut', async () => {
    const die = `process.stderr.write("y".repeat(490) + process.env.API_TOKEN + "\\nfatal: " + process.argv[2] + "\\n"); process.exit(7)`
    const text = await failureOf({
      command: process.execPath,
      args: ['-e', die, '--', '--api-key', 'short-key-1'],
      env: { API_TOKEN: TOKEN },
    })
    expect(text).toContain('exited with code 7')
    expect(text).toContain('Its last words: yyy')
    expect(text).toContain('fatal: [redacted]')
    expect(text).not.toContain(TOKEN.slice(0, 6))
    expect(text).not.toContain('short-key-1')
  })
})
