import { describe, expect, test } from 'vitest'
import { markdownStrategy } from '../../../../electron/engine/compression/strategies/documents.ts'
import { describeStrategyContract } from '../../../helpers/strategy-contract.ts'

const section = (
  n: number,
) => `## Chapter ${n}: ${['Install', 'Configure', 'Run', 'Debug', 'Deploy'][n % 5] ?? ''} the server

This chapter explains what has to be done before the server is ready. Read it with care, and keep a copy of the settings.

- The port is ${8000 + n}; it can be changed in the settings file.
- The log level is set with \`--log-level\`.

\`\`\`sh
server start --profile profile-${n}
server status
\`\`\`

| Option | Default | Meaning |
|---|---|---|
| retries | ${n + 2} | How often a lost connection is tried again |
| timeout | ${n * 100} ms | After how long a request is given up |
`
const text = `# The handbook\n\n${Array.from({ length: 14 }, (_, n) => section(n)).join('\n')}`

describeStrategyContract(markdownStrategy, {
  texts: [text, text.replaceAll('\n', '\r\n')],
  goals: ['what is the default of retries in chapter 6', 'command to start profile-11'],
})

const compress = (goal: string | undefined, budget = 220) =>
  markdownStrategy.compress({ text, goal, budget })?.text ?? ''

describe('markdown', () => {
  test('keeps the table row that answers, with its header and heading', () => {
    const short = compress('default number of retries in chapter 9, deploy')
    expect(short).toContain('| retries | 11 |')
    expect(short).toContain('| Option | Default | Meaning |')
    expect(short).toContain('## Chapter 9')
  })

  test('keeps lines of code as they are', () => {
    expect(compress('how do I start profile-11')).toContain('server start --profile profile-11')
  })

  test('without a goal, keeps the headings', () => {
    const short = compress(undefined)
    for (let n = 0; n < 14; n++) expect(short).toContain(`## Chapter ${n}:`)
  })
})

test('an outline does not repeat the header of equal tables', () => {
  const parts = ['Kiln', 'Wheel', 'Clay', 'Glaze', 'Stove', 'Bench'].map(
    (name, n) =>
      `## ${name}\n\nThe ${name.toLowerCase()} is checked each ${n + 2} weeks by its keeper.\n\n| Keeper | Room |\n|---|---|\n| ${['Ann', 'Bo', 'Cy'][n % 3]} | ${n + 40} |\n`,
  )
  const written = ['# Workshop\n', ...parts].join('\n')
  const shown = markdownStrategy.compress({ text: written, goal: undefined, budget: 120 })?.text ?? ''
  expect(shown.match(/\| Keeper \|/g)).toHaveLength(1)
  expect(shown.match(/is checked each/g)).toHaveLength(6)
})
