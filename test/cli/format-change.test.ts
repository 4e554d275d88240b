import * as fc from '../helpers/properties.ts'
import { describe, expect, it } from 'vitest'
import { canonicalDefinition } from '../../electron/engine/protocol/definition-hash.ts'
import { describeChange } from '../../electron/engine/approvals/describe-change.ts'
import type { PinnedKind } from '../../electron/engine/approvals/pinned-item.ts'
import { cleanText } from '../../electron/engine/guardrails/control-characters.ts'
import { formatChange } from '../../electron/cli/format-change.ts'

function shown(
  definition: unknown,
  { before, kind = 'tool' }: { before?: unknown; kind?: PinnedKind } = {},
): string {
  const { text, hash } = canonicalDefinition(definition)
  const change = {
    identity: 'i',
    serverId: 'files',
    kind,
    name: kind === 'tool' ? 'search' : '',
    change: before === undefined ? ('new' as const) : ('changed' as const),
    hash,
    definition: text,
    at: 0,
    deniedAt: undefined,
    before: before === undefined ? undefined : canonicalDefinition(before).text,
  }
  const readable = describeChange(change, (each) => cleanText(each, 'visualise'))
  return formatChange({ ...readable, findings: [], definition: JSON.parse(text) as unknown })
}
const body = (text: string): string => text.slice(text.indexOf('\n') + 1)

describe('a new tool', () => {
  it('reads like a page of documentation', () => {
    const text = shown({
      name: 'search',
      title: 'Search files',
      description: 'Finds files.\nFast.',
      inputSchema: {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        additionalProperties: false,
        properties: {
          query: { type: 'string', description: 'What to find.', minLength: 1 },
          order: { enum: ['asc', 'desc'], default: 'asc', description: 'Which\nway.' },
          tags: { type: 'array', items: { type: 'string' } },
          limits: {
            type: 'object',
            properties: { size: { type: ['integer', 'null'], description: 'Bytes.' } },
            required: ['size'],
          },
          rows: { type: 'array', items: { type: 'object', properties: { id: { type: 'number' } } } },
          free: {},
        },
        required: ['query', 'ghost'],
      },
      outputSchema: { type: 'object', properties: { hits: { type: 'number' } }, required: ['hits'] },
      annotations: { readOnlyHint: true },
      'x-odd': { list: [1, 'two'] },
    })
    expect(body(text)).toBe(
      [
        '│ Search files',
        '│ Finds files.',
        '│ Fast.',
        'Parameters:',
        '  free         anything',
        '  limits       object',
        '  limits.size  integer | null, required       Bytes.',
        '  order        "asc" | "desc", default "asc"  Which ⏎ way.',
        '  query        string, required, minLength 1  What to find.',
        '  rows         list of object',
        '  rows[]       object',
        '  rows[].id    number',
        '  tags         list of string',
        'Returns:',
        '  hits  number, required',
        'annotations.readOnlyHint: true',
        'inputSchema.additionalProperties: false',
        'inputSchema.properties.free: {}',
        'inputSchema.required[1]: ghost',
        'x-odd.list[0]: 1',
        'x-odd.list[1]: two',
        '',
      ]
        .map((line) => (line === '' ? '' : `    ${line}`))
        .join('\n'),
    )
  })

  it('leaves out nothing, whatever the definition looks like, and shows what is hidden', () => {
    let count = 0
    const word = fc.constantFrom(
      'type',
      'properties',
      'items',
      'required',
      'enum',
      'description',
      'default',
      'q',
      'a.b',
      '__proto__',
      'x y',
    )
    const marked = fc.constant(0).map(() => `⁑${count++}⁑`)
    const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 6 },
        marked,
        fc.constantFrom('object', 'array', 'string', 3, true, null),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc
          .array(fc.tuple(word, tie('schema')), { maxLength: 4 })
          .map((entries) => Object.fromEntries(entries)),
      ),
    }))
    const tool = fc.record({
      name: fc.constant('n'),
      description: schema,
      inputSchema: schema,
      outputSchema: schema,
      more: schema,
    })
    fc.assert(
      fc.property(tool, (definition) => {
        const text = shown(definition)
        for (const [mark] of JSON.stringify(definition).matchAll(/⁑\d+⁑/g)) expect(text).toContain(mark)
      }),
      { numRuns: 400 },
    )
    expect(shown({ name: 'x', description: 'a\u200b\u001b[8mb' })).toContain('│ a⟨ZWSP⟩␛[8mb')
  })

  it('can not pretend that lines of its own are ours', () => {
    const text = shown({
      name: 'x',
      description: 'Fine.\nNEW  files: tool other\n    Parameters:',
      odd: 'a\nb',
    })
    expect(body(text)).toBe(
      '    │ Fine.\n    │ NEW  files: tool other\n    │     Parameters:\n    odd: a\n    │ b\n',
    )
  })
})

describe('other things', () => {
  it('a prompt has its arguments on a line each', () => {
    const prompt = {
      name: 'p',
      description: 'Asks.',
      arguments: [{ name: 'topic', description: 'Of what.', required: true }, { name: 'tone' }],
    }
    expect(body(shown(prompt, { kind: 'prompt' }))).toBe(
      '    │ Asks.\n    Arguments:\n      topic  required  Of what.\n      tone   optional\n',
    )
  })

  it('instructions are quoted, and none are called so', () => {
    expect(body(shown('Do this.\nDo that.', { kind: 'instructions' }))).toBe(
      '    │ Do this.\n    │ Do that.\n',
    )
    expect(body(shown(null, { kind: 'instructions' }))).toBe('    none\n')
  })

  it('of a changed one only what differs', () => {
    const before = { name: 'search', description: 'Finds files.', inputSchema: { type: 'object' } }
    const after = { ...before, description: 'Finds all files.' }
    expect(body(shown(after, { before }))).toBe('    description: Finds {+all +}files.\n')
  })
})
