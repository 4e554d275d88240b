import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { startChatServer } from '../helpers/chat-server.ts'
import { runCli } from '../helpers/run-cli.ts'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const rows = Array.from({ length: 400 }, (_, id) => ({
  id,
  name: `user ${id}`,
  state: id === 377 ? 'locked' : 'open',
}))
const json = JSON.stringify(rows)

describe('sluice compress', () => {
  test('shortens a file to its budget, with the goal deciding what stays', async () => {
    const file = join(temporaryFolder(), 'rows.json')
    writeFileSync(file, json)
    const { code, stdout, stderr } = await runCli([
      'compress',
      file,
      '--budget',
      '300',
      '--goal',
      'locked user',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^\[Compressed: \d+→\d+ tokens, strategy: json\]/)
    expect(stdout).toContain('377')
    expect(countTokens(stdout.trimEnd())).toBeLessThanOrEqual(300)
  })

  test('states the exact tokens of a long text', async () => {
    const file = join(temporaryFolder(), 'app.log')
    const lines = Array.from(
      { length: 400 },
      (_, at) => `2026-11-28T10:${at} INFO order ${1000 + at} in ${at}ms`,
    )
    const text = `${lines.join('\n')}\n`.repeat(3)
    writeFileSync(file, text)
    const { stdout } = await runHere(['compress', file, '--budget', '200'])
    expect(stdout).toContain(`[Compressed: ${countTokens(text)}→`)
  })

  test('has a model write about many texts, and says why its words were not used', async () => {
    const server = await startChatServer(({ body }) =>
      /locked/.test(body.messages[1]?.content.split('\n')[0] ?? '')
        ? { says: 'user 377 has the state locked.' }
        : { says: 'There are 998877 users.' },
    )
    const strategy = ['--strategy', 'model', '--endpoint']
    const asked = [...strategy, server.baseUrl, '--model', 'a', '--data-dir', temporaryFolder()]
    const lines = ['locked user', 'open user'].map((goal) =>
      JSON.stringify({ id: goal, text: json, goal, budget: 500 }),
    )
    const { code, stdout, stderr } = await runHere(['compress', '--jsonl', ...asked], {
      input: lines.join('\n'),
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [good, bad] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string; strategy: string; note?: string })
    expect(good).toMatchObject({ strategy: 'model+json' })
    expect(good?.text.split('\n')[0]).toContain('Summary: user 377 has the state locked')
    expect(countTokens(good?.text ?? '')).toBeLessThanOrEqual(500)
    expect(bad).toMatchObject({ strategy: 'json' })
    expect(bad?.note).toMatch(/^deterministic: the model's answer failed the check/)
    const alone = await runHere(['compress', '--endpoint', server.baseUrl], { input: json })
    expect(alone).toMatchObject({ code: 2 })
    expect(alone.stderr).toContain('Only "--strategy model" asks a model')
    const unnamed = await runHere(['compress', ...strategy, server.baseUrl], { input: json })
    expect(unnamed.stderr).toContain('add --model NAME')
    const unread = await runHere(['compress', ...strategy, 'ftp://x/v1', '--model', 'a'], { input: json })
    expect(unread.stderr).toMatch(/^sluice: --endpoint: Write an address that begins with http:[^✖]*\n$/m)
  })

  test('reads stdin, and gives the same bytes each time', async () => {
    const [one, two] = await Promise.all([
      runHere(['compress'], { input: json }),
      runHere(['compress', '-'], { input: json }),
    ])
    expect(one.stdout).toBe(two.stdout)
    expect(one.stdout.length).toBeLessThan(json.length)
  })

  test('refuses what is no text before anything of it reaches the terminal', async () => {
    const { code, stdout, stderr } = await runHere(['compress'], { input: 'ab\0c' })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('sluice: The input is not a text: there is a zero byte at 2. Nothing was done.\n')
  })

  test('--lossless, --strategy, --kind and --json do what they say', async () => {
    const [lossless, preview, asProse] = await Promise.all([
      runHere(['compress', '--lossless', '--json'], { input: json }),
      runHere(['compress', '--strategy', 'preview', '--json'], { input: json }),
      runHere(['compress', '--kind', 'prose', '--json'], { input: json }),
    ])
    expect(JSON.parse(lossless.stdout)).toMatchObject({ lossless: true, kind: 'json' })
    expect(JSON.parse(preview.stdout)).toMatchObject({ strategy: 'preview', lossless: false })
    expect(JSON.parse(asProse.stdout)).toMatchObject({ kind: 'prose' })
  })

  test('a strategy that does not exist: the error names those that do', async () => {
    const { code, stderr } = await runHere(['compress', '--strategy', 'zip'], { input: json })
    expect(code).toBe(2)
    expect(stderr).toMatch(/There is no strategy "zip"\. There are: .*json.*preview/)
  })

  test('--jsonl answers every line by its id, a line that is no request too, and ends with 0', async () => {
    const requests = [
      { id: 'a', text: json, budget: 300, goal: 'locked user' },
      { id: 'b', text: 'short', budget: 300 },
      { id: 'c', text: json, budget: 300, kind: 'json', lossless: true },
      { id: 'd', text: 'no budget' },
    ]
    const input = `${requests.map((request) => JSON.stringify(request)).join('\n')}\nnot json\n`
    const { code, stdout } = await runHere(['compress', '--jsonl'], { input })
    expect(code).toBe(0)
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const byId = new Map(answers.map((answer) => [answer['id'], answer]))
    expect(answers).toHaveLength(5)
    expect(Object.keys(byId.get('a') ?? {}).sort()).toEqual([
      'id',
      'ms',
      'strategy',
      'text',
      'tokensAfter',
      'tokensBefore',
    ])
    expect(byId.get('a')?.['text']).toContain('377')
    expect(byId.get('b')).toMatchObject({ text: 'short', strategy: 'none' })
    expect(byId.get('d')).toHaveProperty('error')
    expect(byId.get(null)).toHaveProperty('error')
  })
})
