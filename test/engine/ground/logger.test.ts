import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createLogger } from '../../../electron/engine/ground/logger.ts'
import type { LoggerOptions } from '../../../electron/engine/ground/logger.ts'
import { canMountSmallDisks, fillDisk, smallDisk } from '../../helpers/small-disk.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const NOON = Date.UTC(2026, 2, 1, 12, 0, 0)

function loggerInto(options: Partial<LoggerOptions> = {}) {
  const path = join(temporaryFolder(), 'logs', 'sluice.log')
  let stderr = ''
  const logger = createLogger({
    level: 'info',
    stderr: { write: (text) => (stderr += text) },
    file: { path, maxBytes: 1_000_000, keep: 2 },
    now: () => NOON,
    ...options,
  })
  return {
    logger,
    path,
    stderr: () => stderr,
    lines: () =>
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
  }
}

describe('createLogger', () => {
  test('writes a readable line to stderr and a JSON line to the file', () => {
    const { logger, stderr, lines } = loggerInto()
    logger.child({ server: 'files' }).warn('The server ended.', { code: 1 })
    expect(stderr()).toBe('12:00:00 warn  The server ended. server=files code=1\n')
    expect(lines()).toEqual([
      {
        at: '2026-03-01T12:00:00.000Z',
        level: 'warn',
        message: 'The server ended.',
        server: 'files',
        code: 1,
      },
    ])
  })

  test('never writes to stdout, the channel of the protocol', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const { logger } = loggerInto()
    for (const level of ['error', 'warn', 'info', 'debug'] as const) logger[level]('x')
    expect(write).not.toHaveBeenCalled()
    write.mockRestore()
  })

  test('leaves out what is below its level, which can change', () => {
    const { logger, stderr } = loggerInto()
    logger.debug('one')
    logger.setLevel('debug')
    logger.debug('two')
    logger.setLevel('error')
    logger.warn('three')
    expect(stderr()).toBe('12:00:00 debug two\n')
  })

  test('can keep stderr quieter than the file', () => {
    const { logger, stderr, lines } = loggerInto({ stderrLevel: 'warn' })
    logger.info('for the file')
    logger.warn('for both')
    expect(stderr()).toBe('12:00:00 warn  for both\n')
    expect(lines()).toHaveLength(2)
  })

  test('blanks out known secrets wherever they stand', () => {
    const { logger, stderr, path } = loggerInto()
    logger.redact(['s3cr3t"value', 's3cr3t"value-longer', 'x', ''])
    logger.info('Got s3cr3t"value-longer and x', {
      deep: [{ text: 'is s3cr3t"value' }],
      cause: new Error('401 for s3cr3t"value'),
    })
    const both = stderr() + readFileSync(path, 'utf8')
    expect(both).not.toContain('s3cr3t')
    expect(stderr()).toContain('Got [redacted] and x')
  })

  test('blanks out bearer tokens and fields that are named like secrets', () => {
    const { logger, stderr } = loggerInto()
    logger.info('sent Authorization: Bearer abcdef123456', {
      headers: { authorization: 'abc', 'x-api-key': 'def', accept: 'json' },
    })
    expect(stderr()).not.toMatch(/abcdef123456|"abc"|"def"/)
    expect(stderr()).toContain('"accept":"json"')
  })

  test('blanks out what keys of known issuers look like, and values that are named in a text', () => {
    const { logger, stderr } = loggerInto()
    const key = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    logger.info(`Fatal: token=${key} exploded; key ${key}; "api_key": "abcdefghij", tokens: 12345678 of them`)
    expect(stderr()).not.toMatch(/ghp_|abcdefghij/)
    expect(stderr()).toContain('Fatal: token=[redacted] exploded')
    expect(stderr()).toContain('tokens: 12345678 of them')
  })

  test('makes control characters visible: a terminal would obey what a server wrote', () => {
    const { logger, stderr } = loggerInto()
    logger.info('a\u001b[2Jb\u009bc\u202ed\ne')
    expect(stderr()).toBe('12:00:00 info  a\\u001b[2Jb\\u009bc\\u202ed\ne\n')
  })

  test('copes with whatever it is given', () => {
    const { logger, lines } = loggerInto()
    const circle: Record<string, unknown> = { name: 'circle' }
    circle['self'] = circle
    logger.info('odd', {
      circle,
      big: 10n,
      bytes: new Uint8Array(3),
      long: 'x'.repeat(10_000),
      nothing: undefined,
      call: () => 1,
    })
    expect(lines()).toHaveLength(1)
    expect(JSON.stringify(lines()[0]).length).toBeLessThan(6000)
  })

  test('rotates its file and keeps the number of older ones it was told', () => {
    const path = join(temporaryFolder(), 'sluice.log')
    const logger = createLogger({ level: 'info', file: { path, maxBytes: 400, keep: 2 }, now: () => NOON })
    for (let number = 0; number < 40; number++) logger.info(`line ${number}`)
    logger.close()
    const sizes = [path, `${path}.1`, `${path}.2`].map((name) => statSync(name).size)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(400)
    expect(existsSync(`${path}.3`)).toBe(false)
    const last = [`${path}.2`, `${path}.1`, path].flatMap((name) =>
      readFileSync(name, 'utf8').trim().split('\n'),
    )
    expect(last.at(-1)).toContain('line 39')
  })

  test('a line that a full disk or a crash cut stays by itself: the next is whole', () => {
    const { logger, path } = loggerInto()
    mkdirSync(dirname(path))
    writeFileSync(path, '{"level":"info","message":"torn')
    logger.info('first')
    logger.info('second')
    const [torn, ...whole] = readFileSync(path, 'utf8').trim().split('\n')
    expect(torn).toBe('{"level":"info","message":"torn')
    expect(whole.map((line): unknown => JSON.parse(line))).toMatchObject([{}, {}])
  })

  test.runIf(canMountSmallDisks())(
    'nor is a line joined to what a full disk took of the one before',
    async () => {
      const folder = smallDisk('128k', onTestFinished)
      const path = join(folder, 'sluice.log')
      const { logger } = loggerInto({ file: { path, maxBytes: 1_000_000, keep: 1 } })
      logger.info('before')
      const open = readdirSync('/proc/self/fd').length
      const free = await fillDisk(folder)
      for (let number = 0; number < 200; number++) logger.info(`lost ${number} ${'x'.repeat(1000)}`)
      expect(readdirSync('/proc/self/fd').length).toBeLessThanOrEqual(open)
      free()
      logger.info('after')
      const lines = readFileSync(path, 'utf8').trim().split('\n')
      expect(lines.filter((line) => !line.endsWith('}'))).toHaveLength(1)
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ message: 'after' })
    },
  )

  test('two processes on one file rotate it once', () => {
    const path = join(temporaryFolder(), 'sluice.log')
    const options = { level: 'info', file: { path, maxBytes: 300, keep: 5 }, now: () => NOON } as const
    const [one, two] = [createLogger(options), createLogger(options)]
    for (let number = 0; number < 3; number++) {
      one.info(`one ${number}`)
      two.info(`two ${number}`)
    }
    const text = [path, `${path}.1`, `${path}.2`, `${path}.3`]
      .filter((name) => existsSync(name))
      .map((name) => readFileSync(name, 'utf8'))
      .join('')
    for (const line of ['one 0', 'two 0', 'one 1', 'two 1', 'one 2', 'two 2']) expect(text).toContain(line)
  })

  test('harms nobody when its outputs fail', () => {
    const folder = temporaryFolder()
    const logger = createLogger({
      level: 'info',
      stderr: {
        write: () => {
          throw new Error('EPIPE')
        },
      },
      // A folder in place of the file.
      file: { path: folder, maxBytes: 100, keep: 1 },
      now: () => NOON,
    })
    expect(() => logger.error('lost')).not.toThrow()
  })
})
