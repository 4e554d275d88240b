import { describe, expect, test } from 'vitest'
import type {
  ConfigFormat,
  ContainerEdit,
  Pair,
} from '../../../../electron/engine/client-configs/formats/config-format.ts'
import { editConfigText } from '../../../../electron/engine/client-configs/formats/edit-config-text.ts'
import { jsonFormat } from '../../../../electron/engine/client-configs/formats/json-format.ts'
import { tomlFormat } from '../../../../electron/engine/client-configs/formats/toml-format.ts'
import { yamlFormat } from '../../../../electron/engine/client-configs/formats/yaml-format.ts'

function edit(format: ConfigFormat, text: string, ...edits: ContainerEdit[]): string {
  return editConfigText({ text, parsed: format.parse(text) }, format, edits).text
}
const at = (
  path: ContainerEdit['path'],
  replace: Record<string, readonly Pair[]>,
  append: readonly Pair[] = [],
) => ({
  path,
  replace: new Map(Object.entries(replace)),
  append,
})

describe('JSON', () => {
  test.each([
    ['a value', '{"a": 1, "b": 2}', { a: [['a', 9]] }, '{"a": 9, "b": 2}'],
    ['the last entry goes, its comma before it too', '{"a": 1, "b": 2}', { b: [] }, '{"a": 1}'],
    ['the first entry goes', '{ "a": 1, "b": 2 }', { a: [] }, '{ "b": 2 }'],
    ['all go', '{ "a": 1, "b": 2 }', { a: [], b: [] }, '{}'],
    ['the last two go', '{"a": 1,\n "b": 2,\n "c": 3\n}', { b: [], c: [] }, '{"a": 1\n}'],
    ['a trailing comma stays', '{\n  "a": 1,\n  "b": 2,\n}', { b: [] }, '{\n  "a": 1,\n}'],
    [
      'a comma in a comment is none',
      '{"a": 1 /* , */ , "b": 2 // ,\n}',
      { b: [] },
      '{"a": 1 /* , */  // ,\n}',
    ],
    [
      'one entry for another',
      '{"url": "u", "x": 1}',
      {
        url: [
          ['command', 'c'],
          ['args', []],
        ],
      },
      '{"command": "c", "args": [], "x": 1}',
    ],
    [
      'on lines of their own',
      '{\n\t"url": "u", // why\n\t"x": 1\n}',
      {
        url: [
          ['command', 'c'],
          ['args', ['d']],
        ],
      },
      '{\n\t"command": "c", // why\n\t"args": ["d"],\n\t"x": 1\n}',
    ],
    ['neighbours on one line', '{\n  "a": 1, "b": 2,  "c": 3\n}', { a: [], b: [] }, '{\n    "c": 3\n}'],
    [
      'CRLF',
      '{\r\n  "a": 1\r\n}',
      {
        a: [
          ['a', 1],
          ['b', {}],
        ],
      },
      '{\r\n  "a": 1,\r\n  "b": {}\r\n}',
    ],
    ['commas at the beginning of lines', '{\n  "a": 1\n, "b": 2\n}', { a: [] }, '{\n  "b": 2\n}'],
  ] as const)('%s', (_, before, replace, after) => {
    expect(edit(jsonFormat, before, at([], replace as unknown as Record<string, readonly Pair[]>))).toBe(
      after,
    )
  })

  test.each([
    ['behind the last line', '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "n": {\n    "c": "x"\n  }\n}'],
    [
      'behind a trailing comma',
      '{\n    "a": 1,\n}',
      '{\n    "a": 1,\n    "n": {\n        "c": "x"\n    },\n}',
    ],
    ['into one line', '{"a":1}', '{"a":1,"n": { "c": "x" }}'],
    ['into an empty map', '{ /* none */ }', '{"n": { "c": "x" } /* none */ }'],
  ])('appended %s', (_, before, after) => {
    expect(edit(jsonFormat, before, at([], {}, [['n', { c: 'x' }]]))).toBe(after)
  })

  test('several maps at once, one in the other', () => {
    const text = '{\n  "s": {\n    "a": {\n      "x": 1\n    }\n  }\n}'
    const edits = [
      at(['s', 'a'], {
        x: [
          ['x', 2],
          ['y', 3],
        ],
      }),
      at(['s'], {}, [['b', {}]]),
    ]
    expect(edit(jsonFormat, text, ...edits)).toBe(
      '{\n  "s": {\n    "a": {\n      "x": 2,\n      "y": 3\n    },\n    "b": {}\n  }\n}',
    )
  })

  test('a key named __proto__ is a key like others', () => {
    expect(edit(jsonFormat, '{"__proto__": {"a": 1}, "b": 1}', at(['__proto__'], { a: [['a', 2]] }))).toBe(
      '{"__proto__": {"a": 2}, "b": 1}',
    )
  })
})

describe('YAML', () => {
  test.each([
    [
      'values keep what stands behind them',
      'a: x # why\nb: 2\n',
      { a: [['a', 'y']] },
      'a: "y" # why\nb: 2\n',
    ],
    [
      'a block goes with all its lines',
      'a:\n  - 1\n  # in it\n  - 2\n# above b\nb: 2\n',
      { a: [] },
      '# above b\nb: 2\n',
    ],
    ['a block becomes a line', 'a: # list\n- 1\n- 2\nb: 2', { a: [['a', ['3']]] }, 'a: ["3"]\nb: 2'],
    ['a literal block goes', 'a: |\n  x\n\n  y\n\nb: 2\n', { a: [] }, '\nb: 2\n'],
    ['the last one goes, without a line break at the end', 'a: 1\nb: 2', { b: [] }, 'a: 1\n'],
    ['flow style', '{a: 1, b: 2}\n', { a: [] }, '{b: 2}\n'],
    ['something for nothing', 'a:\nb: 2\n', { a: [['a', 'x']] }, 'a: "x"\nb: 2\n'],
    [
      'CRLF',
      'a: 1\r\nb: 2\r\n',
      {
        a: [
          ['a', 1],
          ['c', 'd'],
        ],
      },
      'a: 1\r\nc: "d"\r\nb: 2\r\n',
    ],
  ] as const)('%s', (_, before, replace, after) => {
    expect(edit(yamlFormat, before, at([], replace as unknown as Record<string, readonly Pair[]>))).toBe(
      after,
    )
  })

  test('the first field behind a dash', () => {
    const text = 's:\n  - env:\n      A: b\n    cwd: /x\n    # the name\n    name: n\n'
    expect(edit(yamlFormat, text, at(['s', 0], { env: [], cwd: [] }))).toBe('s:\n  - name: n\n')
  })

  test('an entry of a list goes, and none is left', () => {
    const remove = (text: string, index: number) =>
      edit(yamlFormat, text, { path: ['s'], replace: new Map([[index, []]]) })
    expect(remove('s:\n- a: 1\n- b: 2\nz: 1\n', 0)).toBe('s:\n- b: 2\nz: 1\n')
    expect(remove('s:\n- a: 1\nz: 1\n', 0)).toBe('s:\n []\nz: 1\n')
  })

  test('texts that YAML reads otherwise are quoted; characters that it does not like are escaped', () => {
    const texts = ['yes', 'null', '1', '- a', 'a: b', '#', '\u2028\u0085', 'ü', '']
    const out = edit(yamlFormat, 'a: 1\n', at([], { a: [['a', texts]] }))
    expect(yamlFormat.parse(out).value).toEqual({ a: texts })
  })

  test('an anchor that is used elsewhere: refused', () => {
    expect(() => edit(yamlFormat, 'a: &x {k: 1}\nb: *x\n', at([], { a: [] }))).toThrow(
      /reach further than it should/,
    )
    expect(() => edit(yamlFormat, 'a: &x {k: 1}\nb: *x\n', at(['b'], { k: [] }))).toThrow()
    expect(edit(yamlFormat, 'a: &x {k: 1}\nb: *x\nc: 1\n', at([], { c: [['c', 2]] }))).toBe(
      'a: &x {k: 1}\nb: *x\nc: 2\n',
    )
  })

  test('several documents, keys twice, aliases without end: refused when read', () => {
    expect(() => yamlFormat.parse('a: 1\n---\nb: 1\n')).toThrow(/multiple documents/)
    expect(() => yamlFormat.parse('a: 1\na: 2\n')).toThrow(/unique/)
    const bomb = [
      'a0: &a0 [x]',
      ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(', ')}]`),
    ]
    expect(() => yamlFormat.parse(bomb.join('\n'))).toThrow(/alias/i)
  })
})

describe('TOML', () => {
  test.each([
    ['a value', 'a = "x" # why\nb = 2\n', ['s'], { c: [['c', 'd']] }, '[s]\nc = 1\n', '[s]\nc = "d"\n'],
    [
      'several lines',
      '',
      ['s'],
      { c: [['c', []]] },
      '[s]\nc = [ # list\n  1,\n] # end\nd = 1\n',
      '[s]\nc = [] # end\nd = 1\n',
    ],
    [
      'a table of its own goes, with the blank line',
      '',
      ['s'],
      { env: [] },
      '[s]\nc = 1\n\n[s.env]\nA = "1"\n\n[t]\n',
      '[s]\nc = 1\n\n[t]\n',
    ],
    [
      'a table before its parent',
      '',
      ['s'],
      { env: [] },
      '[s.env] # first\nA = "1"\n\n[s]\nc = 1',
      '\n[s]\nc = 1',
    ],
    [
      'dotted keys',
      '',
      ['s'],
      {
        env: [],
        c: [
          ['c', 'x'],
          ['d', 'y'],
        ],
      },
      's.c = 1\ns.env.A = "1"\ns.env.B = "2"\n',
      's.c = "x"\ns.d = "y"\n',
    ],
    [
      'an inline table',
      '',
      ['s'],
      { env: [] },
      's = { c = 1, env = { A = "1" }, d = 2 }\n',
      's = { c = 1, d = 2 }\n',
    ],
    ['quoted keys', '', ['a b'], { c: [['d e', 1]] }, '["a b"]\nc = 1\n', '["a b"]\n"d e" = 1\n'],
  ] as const)('%s', (_, __, path, replace, before, after) => {
    expect(
      edit(tomlFormat, before, at([...path], replace as unknown as Record<string, readonly Pair[]>)),
    ).toBe(after)
  })

  test('a new table behind the last one of its kind, with tables of arrays around', () => {
    const text = '[[x]]\na = 1\n\n[s.one]\nc = 1 # end\n\n[[x]]\na = 2\n'
    const out = edit(tomlFormat, text, at(['s'], {}, [['two', { c: 'd', 'e f': [1] }]]))
    expect(out).toBe(
      '[[x]]\na = 1\n\n[s.one]\nc = 1 # end\n\n[s.two]\nc = "d"\n"e f" = [1]\n\n[[x]]\na = 2\n',
    )
  })

  test('strings of every kind are read back', () => {
    const texts = ['"', '\\', '\u0001', '\u007f', "'", '\n', 'ü', '']
    const out = edit(tomlFormat, 'a = 1\n', at([], { a: [['a', texts]] }))
    expect(tomlFormat.parse(out).value).toEqual({ a: texts })
  })
})
