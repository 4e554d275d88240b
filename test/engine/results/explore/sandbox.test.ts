import { describe, expect, test } from 'vitest'
import { runInSandbox } from '../../../../electron/engine/results/explore/sandbox.ts'
import type { SandboxInput } from '../../../../electron/engine/results/explore/sandbox.ts'

const run = (code: string, input: Partial<SandboxInput> = {}) =>
  runInSandbox({ code, text: '', data: undefined, timeoutMs: 60_000, ...input }, () => performance.now())

const failure = (code: string, message: RegExp) => ({
  code,
  message: expect.stringMatching(message) as string,
})

describe('runInSandbox', () => {
  test.each<[string, string]>([
    ['1 + 1', '2'],
    ['const a = [3, 1, 2]; a.sort()', '[1,2,3]'],
    ['return text.length', '5'],
    ['({ a: 1, b: [null, "x"] })', '{"a":1,"b":[null,"x"]}'],
    ['"plain text"', 'plain text'],
    ['await Promise.resolve(5)', 'undefined'],
    ['return await Promise.resolve(5)', '5'],
    ['Promise.resolve([1])', '[1]'],
    ['new Map([["a", new Set([1])]])', '{"a":[1]}'],
    ['2n ** 70n', '"1180591620717411303424"'],
    ['undefined', 'undefined'],
    ['const words = "return of the king"; words', 'return of the king'],
  ])('%s', async (code, value) => {
    expect(await run(code, { text: 'hello' })).toMatchObject({ value })
  })

  test('data is the parsed text, or what was given, or nothing', async () => {
    expect(
      await run('data.list.filter((x) => x > 1)', { text: '{"list":[1,2,3]}', data: 'from text' }),
    ).toMatchObject({ value: '[2,3]' })
    expect(await run('data[0].a', { text: 'a\n1', data: { json: '[{"a":"1"}]' } })).toMatchObject({
      value: '1',
    })
    expect(await run('typeof data')).toMatchObject({ value: 'undefined' })
  })

  test('what is printed is kept in order', async () => {
    expect(await run('console.log("a", { b: 1 }); console.error(2); 3')).toEqual({
      value: '3',
      printed: ['a {"b":1}', '2'],
    })
    expect((await run('console.log("once"); return 1')).printed).toEqual(['once'])
  })

  // The library's newString and dump cut at the first NUL and replace lone surrogates.
  test('NUL, lone surrogates and line separators survive both ways', async () => {
    const text = 'a\0b\ud800c\udc00d\u2028\u{1f600}'
    expect((await run('text', { text })).value).toBe(text)
    expect((await run('data.t', { text: JSON.stringify({ t: text }), data: 'from text' })).value).toBe(text)
    expect((await run('console.log(text)', { text })).printed).toEqual([text])
    expect((await run(`"x\\0y\\ud801" + ${JSON.stringify('\ud802')}`)).value).toBe('x\0y\ud801\ud802')
  })

  test('there is nothing to reach the outside with', async () => {
    const names = [
      'require',
      'process',
      'fetch',
      'setTimeout',
      'WebAssembly',
      'std',
      'os',
      'Deno',
      'XMLHttpRequest',
      'Worker',
      '__text',
      '__done',
    ]
    expect(
      (await run(`[${names.map((name) => `typeof ${name}`).join()}].every((type) => type === 'undefined')`))
        .value,
    ).toBe('true')
    await expect(run('return await import("node:fs")')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect((await run('(() => {}).constructor("return typeof process")()')).value).toBe('undefined')
  })

  test.each([
    'while (true) {}',
    'try { while (true) {} } catch {} finally { while (true) {} }',
    '/^(a+)+$/.test("a".repeat(50) + "!")',
    'const spin = () => Promise.resolve().then(spin); spin()',
    '(async () => { for (;;) await 0 })()',
  ])('time is limited: %s', async (code) => {
    await expect(run(code, { timeoutMs: 100 })).rejects.toMatchObject(
      failure('LIMIT_REACHED', /stopped after 100 ms/),
    )
  })

  test.each(['"x".repeat(2e8)', 'const a = []; for (;;) a.push({ x: [1, 2, 3] })', 'new ArrayBuffer(5e8)'])(
    'memory is limited: %s',
    async (code) => {
      await expect(run(code, { timeoutMs: 100_000 })).rejects.toMatchObject(
        failure('LIMIT_REACHED', /128 MB.*proxy_filter/),
      )
      expect((await run('1')).value).toBe('1')
    },
  )

  test.each(['"x".repeat(3e7)', 'Array(1e6).fill("abcdefgh")'])(
    'what is returned fits, or is too large in words that help: %s',
    async (code) => {
      const outcome = await run(code, { timeoutMs: 100_000 }).then(
        ({ value }) => value.length,
        (error: unknown) => error,
      )
      if (typeof outcome !== 'number')
        expect(outcome).toMatchObject(failure('LIMIT_REACHED', /(too large to be taken out|needs more than)/))
    },
  )

  test.each<[string, RegExp]>([
    ['const f = () => f() + 1; f()', /stack overflow/],
    ['foo.bar', /ReferenceError.*foo.*line 1/],
    ['const a = 1\nreturn foo.bar', /ReferenceError.*foo.*line 2/],
    ['let x =\n ;', /SyntaxError.*line 2/],
    ['JSON.parse("nope")', /SyntaxError/],
    ['throw "just words"', /just words/],
    ['throw { toString() { throw 1 } }', /cannot be shown/],
    ['const a = {}; a.a = a; a', /circular/i],
    ['new Promise(() => {})', /never settles/],
  ])('mistakes are told: %s', async (code, message) => {
    await expect(run(code)).rejects.toMatchObject(failure('BAD_INPUT', message))
  })

  test('code that tampers with its surroundings changes nothing outside', async () => {
    expect(
      (await run('JSON.stringify = () => "{"; Promise.prototype.then = null; ({ a: 1 })')).value,
    ).toBeDefined()
    await run('Object.prototype.value = "polluted"; 1')
    expect(({} as Record<string, unknown>)['value']).toBeUndefined()
  })

  test('one run leaves nothing behind for the next', async () => {
    await run('globalThis.left = 1')
    expect((await run('typeof left')).value).toBe('undefined')
  })
})
