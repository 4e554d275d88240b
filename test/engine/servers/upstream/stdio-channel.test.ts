import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Logger } from '../../../../electron/engine/ground/logger.ts'
import { silentLogger } from '../../../../electron/engine/ground/logger.ts'
import type { UpstreamLink } from '../../../../electron/engine/protocol/link.ts'
import { isRunning } from '../../../helpers/processes.ts'
import { sessionOf } from '../../../helpers/process-tree.ts'
import { call, testLinks } from '../../../helpers/test-links.ts'
import type { TestLinkOptions } from '../../../helpers/upstream.ts'
import { serverPath } from '../../../helpers/server-bundles.ts'
import { waitFor } from '../../../helpers/wait-for.ts'
import { openTestLink, testServer, textOf } from '../../../helpers/upstream.ts'

const connect = testLinks()

async function pidsOf(link: UpstreamLink): Promise<{ server: number; grandchild: number }> {
  return JSON.parse(textOf(await call(link, 'pids'))) as { server: number; grandchild: number }
}

/** Collects a server's log lines. */
function collectingLogger(lines: [string, unknown][]): Logger {
  const logger: Logger = {
    ...silentLogger,
    info: (message, fields) => lines.push([message, fields]),
    child: () => logger,
  }
  return logger
}

describe('large results', () => {
  test('are parsed elsewhere, and later messages wait for them', async () => {
    const parsed: number[] = []
    const order: string[] = []
    const { link } = await connect({
      settings: testServer('big-result'),
      deps: {
        parseLarge: async (pieces) => {
          const bytes = Buffer.concat(pieces)
          await wait(50)
          parsed.push(bytes.length)
          return JSON.parse(bytes.toString()) as unknown
        },
      },
    })
    await Promise.all([
      call(link, 'json', { bytes: 2_000_000 }).then(() => order.push('large')),
      call(link, 'echo', { text: 'a' }).then(() => order.push('small')),
      call(link, 'prose', { bytes: 1_500_000 }).then(() => order.push('large again')),
      call(link, 'echo', { text: 'b' }).then(() => order.push('small again')),
    ])
    expect(order).toEqual(['large', 'small', 'large again', 'small again'])
    expect(parsed).toHaveLength(2)
  })

  test.each([false, true])('over the limit fail alone and say what to do (id last: %s)', async (idLast) => {
    const { link, heard } = await connect({
      settings: testServer('misbehaving'),
      deps: { limits: () => ({ maxMessageBytes: 1_000_000 }) },
    })
    const tooLarge = call(link, 'huge', { bytes: 3_000_000, idLast })
    const other = call(link, 'slow', { ms: 100 })
    await expect(tooLarge).rejects.toMatchObject({
      code: 'MESSAGE_TOO_LARGE',
      message: expect.stringMatching(
        /limit of 1000000 \(limits\.maxMessageBytes in config\.json\)/,
      ) as string,
    })
    expect(textOf(await other)).toBe('done')
    expect(textOf(await call(link, 'huge', { bytes: 900_000, idLast }))).toHaveLength(900_000)
    expect(heard.lost).toEqual([])
  })
})

describe('large arguments', () => {
  test('reach the server whole, in turns with others’ work, and later messages behind them', async () => {
    const { link } = await connect({ settings: testServer('big-result') })
    // Quotes, line breaks and surrogate pairs across piece borders.
    const text = `x${'"\\\n\u{1f600}'.repeat(600_000)}`
    const order: string[] = []
    let turns = 0
    const count = setInterval(() => turns++, 0)
    const long = call(link, 'echo', { text }).finally(() => order.push('long'))
    const short = call(link, 'echo', { text: 'short' }).finally(() => order.push('short'))
    const again = call(link, 'echo', { text: `${text}!` }).finally(() => order.push('again'))
    expect(textOf(await long) === text).toBe(true)
    expect(textOf(await short)).toBe('short')
    expect(textOf(await again) === `${text}!`).toBe(true)
    clearInterval(count)
    expect(order).toEqual(['long', 'short', 'again'])
    expect(turns).toBeGreaterThan(5)
  })
})

describe('bad manners', () => {
  test('lines on stdout that are no messages are skipped and logged', async () => {
    const lines: [string, unknown][] = []
    const { link } = await connect({
      settings: testServer('misbehaving'),
      deps: { logger: collectingLogger(lines) },
    })
    expect(textOf(await call(link, 'garbage'))).toBe('after the garbage')
    expect(lines).toContainEqual([
      'server output',
      { stream: 'stdout', line: 'Server listening on port 3000' },
    ])
    expect(lines.filter(([message]) => message === 'server output')).toHaveLength(5)
  })

  test('second answers and answers to nobody change nothing', async () => {
    const { link } = await connect({ settings: testServer('misbehaving') })
    expect(textOf(await call(link, 'twice'))).toBe('first')
    expect(textOf(await call(link, 'foreign'))).toBe('yours')
    expect(textOf(await call(link, 'echo', { text: 'still fine' }))).toBe('still fine')
  })

  test('half a message and bytes that are no UTF-8 are skipped; inside an answer they are marked', async () => {
    const { link } = await connect({ settings: testServer('misbehaving') })
    expect(textOf(await call(link, 'bad-bytes'))).toBe('a\uFFFD(b')
    expect(textOf(await call(link, 'echo', { text: 'still here' }))).toBe('still here')
  })

  test('20 MB on stderr neither block the server nor fill the log', async () => {
    const lines: [string, unknown][] = []
    const { link } = await connect({
      settings: testServer('misbehaving'),
      deps: { logger: collectingLogger(lines) },
    })
    expect(textOf(await call(link, 'noisy', { bytes: 20_000_000 }))).toBe('was noisy')
    expect(lines.length).toBeLessThan(500)
  })

  test('unknown fields survive at every level', async () => {
    const { link } = await connect({ settings: testServer('misbehaving') })
    expect(await call(link, 'odd-fields')).toEqual({
      content: [{ type: 'text', text: 'odd' }],
      'x-result': { kept: true },
      _meta: { 'example.org/any': [1, 2] },
    })
  })

  test('a call that is never answered can be given up', async () => {
    const { link } = await connect({ settings: testServer('misbehaving') })
    const options = { timeoutMs: 50 }
    await expect(link.request('tools/call', { name: 'never' }, options)).rejects.toThrow(/no answer/)
    expect(textOf(await call(link, 'echo', { text: 'next' }))).toBe('next')
  })
})

describe('a server that dies', () => {
  test('in mid-call rejects all its calls, saying how it ended, and harms nobody else', async () => {
    const first = await connect({ settings: testServer('misbehaving') })
    const second = await connect({ settings: testServer('misbehaving') })
    const bystander = call(second.link, 'slow', { ms: 300 })
    const waiting = call(first.link, 'never')
    const crashing = call(first.link, 'crash', { code: 3 })
    const lost = {
      code: 'SERVER_LOST',
      message: expect.stringMatching(
        /^Server "test" exited with code 3\..*Its last words: fatal: out of cheese$/,
      ) as string,
      data: { server: 'test', code: 3, signal: null, stderr: ['fatal: out of cheese'] },
    }
    await expect(crashing).rejects.toMatchObject(lost)
    await expect(waiting).rejects.toMatchObject(lost)
    expect(first.heard.lost).toMatchObject([lost])
    await expect(call(first.link, 'echo', { text: 'x' })).rejects.toMatchObject({ code: 'SERVER_LOST' })
    expect(textOf(await bystander)).toBe('done')
    expect(second.heard.lost).toEqual([])
  })

  test('by a signal is named with it', async () => {
    const { link } = await connect({ settings: testServer('misbehaving') })
    await expect(call(link, 'kill')).rejects.toThrow(/^Server "test" was ended by SIGKILL\./)
  })

  test('in spirit, taking no input any more, is ended and named', async () => {
    const { link, heard } = await connect({
      settings: testServer('misbehaving', '--immortal'),
      deps: { endSteps: { endOfInput: 50, terminate: 50, kill: 2000 } },
    })
    expect(textOf(await call(link, 'deafen'))).toBe('heard for the last time')
    await expect.poll(() => heard.notifications).toMatchObject([['notifications/message', { data: 'deaf' }]])
    await expect(call(link, 'echo', { text: 'x' })).rejects.toThrow(/^Server "test" closed its input\./)
    expect(heard.lost).toHaveLength(1)
  })

  test('leaves no descendant that holds its pipes', async () => {
    const { link, heard } = await connect({ settings: testServer('misbehaving', '--grandchild') })
    const { grandchild } = await pidsOf(link)
    await expect(call(link, 'crash', { code: 9 })).rejects.toThrow(/code 9/)
    expect(heard.lost).toHaveLength(1)
    await link.close()
    expect(isRunning(grandchild)).toBe(false)
  })
})

describe.skipIf(process.platform !== 'linux')(
  'a daemon in a session of its own, which Linux alone shows',
  () => {
    const endSteps = { endOfInput: 100, terminate: 100, kill: 2000 }

    test('that holds stdin and stdout ends with the server, though it ignores SIGTERM', async () => {
      const { link } = await openTestLink({
        settings: testServer('misbehaving', '--daemon'),
        deps: { endSteps },
      })
      const { server, grandchild } = await pidsOf(link)
      expect(sessionOf(grandchild)).not.toBe(sessionOf(server))
      await link.close()
      await waitFor(() => expect([isRunning(server), isRunning(grandchild)]).toEqual([false, false]))
    })

    test('ends with a server that crashed, too', async () => {
      const { link } = await connect({ settings: testServer('misbehaving', '--daemon'), deps: { endSteps } })
      const { grandchild } = await pidsOf(link)
      await expect(call(link, 'crash', { code: 9 })).rejects.toThrow(/code 9/)
      await link.close()
      await waitFor(() => expect(isRunning(grandchild)).toBe(false))
    })

    test('of the program setsid, behind a shell', async () => {
      const daemon = 'setsid sleep 600 & echo "$!" > "$PID_FILE"'
      const pidFile = join(mkdtempSync(join(tmpdir(), 'sluice-daemon-')), 'pid')
      const { command = '', args = [] } = testServer('misbehaving')
      const { link } = await openTestLink({
        settings: {
          command: 'sh',
          args: ['-c', `${daemon}; exec "$@"`, 'sh', command, ...args],
          env: { PID_FILE: pidFile },
        },
        deps: { endSteps },
      })
      const pid = Number(readFileSync(pidFile, 'utf8'))
      expect(sessionOf(pid)).toBe(pid)
      await link.close()
      // It has let go of the pipes before the system has ended it.
      await waitFor(() => expect(isRunning(pid)).toBe(false))
    })

    test('that has let go of both stays: it is no part of the server any more', async () => {
      const pidFile = join(mkdtempSync(join(tmpdir(), 'sluice-daemon-')), 'pid')
      const { command = '', args = [] } = testServer('misbehaving')
      const daemon = 'setsid sleep 600 < /dev/null > /dev/null & echo "$!" > "$PID_FILE"'
      const { link } = await openTestLink({
        settings: {
          command: 'sh',
          args: ['-c', `${daemon}; exec "$@"`, 'sh', command, ...args],
          env: { PID_FILE: pidFile },
        },
        deps: { endSteps },
      })
      const pid = Number(readFileSync(pidFile, 'utf8'))
      await link.close()
      expect(isRunning(pid)).toBe(true)
      process.kill(pid, 'SIGKILL')
    })
  },
)

describe('closing', () => {
  test('ends the server through its stdin, and is no loss', async () => {
    const { link, heard } = await openTestLink({ settings: testServer('misbehaving') })
    const { server } = await pidsOf(link)
    expect(server).toBe(link.pid)
    const inFlight = call(link, 'never')
    const closing = link.close()
    await expect(inFlight).rejects.toMatchObject({ code: 'SERVER_LOST' })
    await closing
    expect(isRunning(server)).toBe(false)
    expect(heard.lost).toEqual([])
  })

  test('ends a whole group that ignores the end of its stdin and SIGTERM', async () => {
    const { link } = await openTestLink({
      settings: testServer('misbehaving', '--immortal', '--grandchild'),
      deps: { endSteps: { endOfInput: 100, terminate: 100, kill: 2000 } },
    })
    const { server, grandchild } = await pidsOf(link)
    await link.close()
    expect([isRunning(server), isRunning(grandchild)]).toEqual([false, false])
  })

  test.skipIf(process.platform === 'win32')(
    'ends a wrapper that holds stdin open, as npx does, with what it started',
    async () => {
      const { link } = await openTestLink({
        settings: {
          command: 'sh',
          args: ['-c', `"${process.execPath}" "${serverPath('misbehaving')}" --grandchild; sleep 600`],
        },
        deps: { endSteps: { endOfInput: 100, terminate: 1000, kill: 2000 } },
      })
      const { server, grandchild } = await pidsOf(link)
      expect(server).not.toBe(link.pid)
      await link.close()
      expect([link.pid ?? 0, server, grandchild].map(isRunning)).toEqual([false, false, false])
    },
  )
})

describe('a server that does not start', () => {
  const start = (settings: TestLinkOptions['settings'], more: Partial<TestLinkOptions> = {}) =>
    openTestLink({ settings, ...more })

  test('because it ends: tells the code and its last words', async () => {
    await expect(start(testServer('misbehaving', '--fail-start'))).rejects.toMatchObject({
      code: 'SERVER_UNAVAILABLE',
      message: expect.stringMatching(
        /^Server "test" is not available: it exited with code 7 before it introduced itself\. Command: .*--fail-start\. Its last words: cannot find the database$/,
      ) as string,
    })
  })

  test('because it is another program: quotes its first line', async () => {
    const script = 'console.log("Listening on port 3000"); console.error("bye"); process.exit(2)'
    await expect(start({ command: process.execPath, args: ['-e', script] })).rejects.toThrow(
      /exited with code 2 .* Its first line on stdout isn't a message of MCP: "Listening on port 3000"\. Check that .* over stdio\. Its last words: bye$/,
    )
  })

  test('because there is no such command: names it and the PATH', async () => {
    const settings = { command: 'no-such-server', env: { PATH: '/somewhere:/else' } }
    await expect(start(settings)).rejects.toThrow(
      /"no-such-server" could not be started: no such command on PATH\..*PATH is: \/somewhere:\/else$/,
    )
  })

  test('because its folder is missing: names the folder', async () => {
    const cwd = join(mkdtempSync(join(tmpdir(), 'sluice-')), 'gone')
    await expect(start({ ...testServer('features'), cwd })).rejects.toThrow(
      /its folder .*gone does not exist/,
    )
  })

  test('because it never answers: is given up and ended', async () => {
    const deps = { startMs: 200, endSteps: { endOfInput: 100, terminate: 1000, kill: 1000 } }
    await expect(start(testServer('misbehaving', '--silent'), { deps })).rejects.toMatchObject({
      code: 'SERVER_UNAVAILABLE',
      message: expect.stringMatching(
        /it did not introduce itself within 0.2 s \("startTimeoutSeconds"\)/,
      ) as string,
    })
  })

  test('because nobody wants it any more: is ended', async () => {
    const abort = new AbortController()
    const lines: [string, unknown][] = []
    const opening = start(testServer('misbehaving', '--silent', '--announced'), {
      signal: abort.signal,
      deps: { logger: collectingLogger(lines) },
    })
    opening.catch(() => {})
    await expect.poll(() => JSON.stringify(lines)).toContain('has started')
    abort.abort()
    await expect(opening).rejects.toBeInstanceOf(Error)
  })
})

test('cwd and environment are those of the session, with what the settings add', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'sluice-'))
  const { link } = await connect({
    settings: { ...testServer('features'), env: { FEATURES_TEST: 'from settings' } },
    cwd,
    env: { FEATURES_TEST: 'inherited', PATH: '/usr/bin' },
  })
  expect(JSON.parse(textOf(await call(link, 'who-calls')))).toMatchObject({
    environment: 'from settings',
    cwd,
  })
})
