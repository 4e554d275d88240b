import { expect, test } from 'vitest'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'

const compress = await loadCompressor()

interface Inn {
  readonly name: string
  readonly fields: readonly (readonly [label: string, value: string])[]
}

const inns: readonly Inn[] = Array.from({ length: 24 }, (_, i) => ({
  name: `${['Cedar', 'Pine', 'Fern', 'Moss'][i % 4]} Inn ${String.fromCharCode(65 + i)}`,
  fields: [
    ['Price', `${i === 17 ? '9,450' : 14_000 + i * 731} JPY (2 guests)`],
    ['Rating', `${(3 + (i % 20) / 10).toFixed(1)} / 5 (${120 + i * 7} reviews)`],
    ['Bath', i === 9 ? 'none' : 'shared'],
    ['Cancellation', i % 3 ? 'free until 3 days before' : 'non-refundable'],
  ],
}))

const write = (
  opener: (name: string, at: number) => string,
  line: (label: string, value: string) => string,
): string =>
  `# Inns near the lake\n\n${inns
    .map(({ name, fields }, i) =>
      [opener(name, i), ...fields.map(([label, value]) => line(label, value)), ''].join('\n'),
    )
    .join('\n')}`

const forms: readonly (readonly [form: string, text: string])[] = [
  [
    'headings and lists',
    write(
      (name, i) => `## ${i + 1}. ${name}`,
      (label, value) => `- ${label}: ${value}`,
    ),
  ],
  [
    'headings and bold labels',
    write(
      (name) => `### ${name}\n`,
      (label, value) => `**${label}:** ${value}  `,
    ),
  ],
  [
    'numbers and lists below',
    write(
      (name, i) => `${i + 1}. **${name}**`,
      (label, value) => `   - **${label}**: ${value}`,
    ),
  ],
  [
    'bold names and dashes',
    write(
      (name) => `**${name}**`,
      (label, value) => `- ${label}: ${value}`,
    ),
  ],
  [
    'rules between',
    write(
      (name) => `---\n### ${name}`,
      (label, value) => `* _${label}_: ${value}`,
    ),
  ],
  [
    'one line each',
    inns
      .map(({ name, fields }) => `- **${name}** - ${fields.map((each) => each.join(': ')).join(', ')}`)
      .join('\n'),
  ],
]

test.each(forms)('%s are records with their titles for names', (_form, text) => {
  const reading = readText(text)
  expect(reading?.format).toBe('items')
  const shown = compress({ text, goal: 'which inn is the cheapest?', budget: 250 }).text
  expect(shown).toMatch(/Pine Inn R\*{0,2}(?: - |\n+)(?:[*_ -]*)Price[:*_]+ 9,450 JPY/)
  const bath = compress({ text, goal: 'which inn has no bath?', budget: 250 }).text
  expect(bath).toMatch(/Pine Inn J[^#]*Bath[:*_]+ none/)
})

test('pairs of one line stand as they do in the source, and what is left out between them is marked', () => {
  const [, text = ''] = forms.at(-1) ?? []
  const { text: shown } = compress({ text, goal: 'ratings', budget: 400 })
  for (const line of shown.split('\n').filter((each) => each.startsWith('- ')))
    for (const piece of line.split(' …').map((each) => each.trim()))
      expect(text).toContain(piece.replace(/^… /, ''))
})

test('a list of labels in YAML, changes by version and descriptions of functions are no items', () => {
  const yaml = inns
    .map(({ name, fields }) => `# ${name}\n- name: ${name}\n  price: ${fields[0]?.[1]}`)
    .join('\n')
  const changes = Array.from(
    { length: 9 },
    (_, i) => `## 1.${i}.0\n\n- fix: one\n- fix: two\n- fix: three\n- feat: four\n`,
  )
  const prose = inns.map(
    ({ name }) =>
      `## ${name}\n\n${'It stands by the lake and has a garden. '.repeat(9)}\n\n- Type: inn\n- Since: 1990\n`,
  )
  for (const text of [yaml, changes.join('\n'), prose.join('\n')])
    expect(readText(text)?.format).not.toBe('items')
})

test('lists below a label, fenced text and lines without a label are of their item', () => {
  const text = inns
    .map(
      ({ name, fields }) =>
        `## ${name}\n- Price: ${fields[0]?.[1]}\n- Bath: ${fields[2]?.[1]}\n- Reviews:\n  - Quiet\n  - Warm\n\nCall before six.\n`,
    )
    .join('\n')
  const records = valuesOf(readText(text)!) as Record<string, unknown>[]
  expect(records).toHaveLength(24)
  expect(records[0]).toMatchObject({ name: 'Cedar Inn A', Bath: 'shared' })
  expect(JSON.stringify(records[0])).toContain('Call before six.')
})
