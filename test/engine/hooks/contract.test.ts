import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallRow } from '../../../electron/engine/ledger/call-row.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { bashPayload } from '../../helpers/bash-payload.ts'
import { buildLog } from '../../helpers/build-log.ts'
import { hooksWorld } from '../../helpers/hooks-world.ts'

// Payloads as the released programs sent them (Claude Code 2.1.330, Codex 0.169.0, Gemini CLI 0.61.0, opencode 1.18.33,
// Copilot CLI 1.0.102): shared facts in docs/built-in-tools.md.

const ends: (() => Promise<void> | void)[] = []
let world: Awaited<ReturnType<typeof hooksWorld>>
beforeAll(async () => {
  world = await hooksWorld((end) => ends.push(end))
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

let calls = 0
/** Another call each time, unless the payload names it. */
const claude = (tool: string, response: unknown, call: JsonObject = {}) =>
  world.ask('claude-code', 'PostToolUse', {
    ...bashPayload('', {}, { tool_use_id: `toolu_c${calls++}` }),
    tool_name: tool,
    tool_input: {},
    tool_response: response,
    ...call,
  })
const updated = (answer: JsonObject): JsonObject =>
  (answer['hookSpecificOutput'] as JsonObject | undefined)?.['updatedToolOutput'] as JsonObject
const shell = (stdout: unknown): JsonObject => ({ stdout, stderr: '', interrupted: false, isImage: false })
const long = buildLog()
const SHORT = expect.stringMatching(/^\[Compressed: \d+→\d+ tokens/) as string

describe('Claude Code: each tool keeps its shape', () => {
  it.each([
    [
      'WebFetch',
      { bytes: 9, code: 200, codeText: 'OK', result: long, durationMs: 3, url: 'https://a.example' },
      'result',
    ],
    [
      'Grep',
      { mode: 'content', numFiles: 0, filenames: [], content: long, numLines: 602, appliedLimit: 250 },
      'content',
    ],
  ])('%s', async (tool, response, field) => {
    expect(updated(await claude(tool, response))).toEqual({ ...response, [field]: SHORT })
  })

  it('WebSearch, Agent and resources: texts change, all beside them stays', async () => {
    const found = { tool_use_id: 'x', content: [{ title: 't', url: 'https://a.example' }] }
    const search = { query: 'q', results: [found, long], durationSeconds: 1 }
    expect(updated(await claude('WebSearch', search))).toEqual({ ...search, results: [found, SHORT] })
    const agent = {
      status: 'completed',
      prompt: 'p',
      agentId: 'a',
      content: [{ type: 'text', text: long }],
      totalTokens: 1,
    }
    expect(updated(await claude('Agent', agent))).toEqual({
      ...agent,
      content: [{ type: 'text', text: SHORT }],
    })
    const resource = {
      contents: [
        { uri: 'u:1', mimeType: 'text/plain', text: long },
        { uri: 'u:2', blobSavedTo: '/x' },
      ],
    }
    expect(updated(await claude('ReadMcpResourceTool', resource))).toEqual({
      contents: [{ uri: 'u:1', mimeType: 'text/plain', text: SHORT }, resource.contents[1]],
    })
  })

  it.each([
    ['a string', 'Bash', long],
    ['null', 'Bash', null],
    ['a list', 'Bash', [long]],
    ['stdout alone', 'Bash', { stdout: long }],
    ['no stderr', 'Bash', { stdout: long, interrupted: false, isImage: false }],
    ['a picture', 'Bash', { ...shell(long), isImage: true }],
    ['a number for a text', 'Bash', shell(7)],
    ['a background task', 'Bash', { ...shell(long), backgroundTaskId: 'b1' }],
    ['an agent that goes on', 'Agent', { status: 'async_launched', outputFile: '/x' }],
    ['files of a search', 'Grep', { mode: 'files_with_matches', numFiles: 1, filenames: ['a'] }],
    ['an edit', 'Edit', { filePath: 'a', oldString: long, newString: long }],
    ['a write', 'Write', { type: 'create', filePath: 'a', content: long }],
    [
      'a file that is read',
      'Read',
      { type: 'text', file: { filePath: 'a', content: long, numLines: 602, startLine: 1, totalLines: 602 } },
    ],
    ['an unheard-of tool', 'Later', shell(long)],
    ['a name of every object', 'constructor', shell(long)],
    ['another server', 'mcp__x__y', [{ type: 'text', text: long }]],
  ])('%s passes', async (_, tool, response) => {
    expect(await claude(tool, response)).toEqual({})
  })

  it('Cursor, which runs these hooks too, gets nothing', async () => {
    expect(await claude('Bash', shell(long), { cursor_version: '3.1' })).toEqual({})
  })

  it('a short output and one that hardly gets shorter pass', async () => {
    expect(await claude('Bash', shell('done\n'))).toEqual({})
    const words = Array.from({ length: 2_100 }, (_, index) => `${(index * 7919) % 9973}`).join('\n')
    const answer = await claude('Bash', shell(words))
    if (updated(answer)) expect(String(updated(answer)['stdout']).length).toBeLessThan(words.length * 0.6)
  })
})

describe('what is never shortened', () => {
  const paths = Array.from(
    { length: 900 },
    (_, index) => `./src/module-${index}/deep/folder/index-${index}.ts`,
  ).join('\n')
  const source = Array.from(
    { length: 400 },
    (_, index) => `export function part${index}(value: number): number {\n  return value * ${index}\n}\n`,
  ).join('\n')
  const names = (line: (index: number) => string): string =>
    Array.from({ length: 900 }, (_, n) => line(n)).join('\n')
  it.each([
    ['a list of paths', 'find . -name "*.ts"', paths],
    ['a list of paths from any program', './list-all', paths],
    ['a list of paths in other letters', './list-all', names((n) => `./资料/отчёт-${n}.pdf`)],
    [
      'a list of paths in quotes',
      './list-all',
      names((n) => `"src/\\303\\251t\\303\\251/it's-${n} & co.txt"`),
    ],
    ['a list that ends with zeros', 'find . -print0', paths.replaceAll('\n', '\0')],
    ['names in a folder', 'cd src && ls | sort', names((n) => `report-${n * 7}.txt`)],
    ['a long listing', './list-all', names((n) => `-rw-r--r-- 1 me me ${n} Nov 26 05:55 report-${n}.txt`)],
    ['a tree', 'tree', names((n) => `│   ├── report-${n}.txt`)],
    ['a state of files', 'git -C app status', names((n) => `\tmodified:   src/report-${n}.txt`)],
    ['a source file', 'cat src/parts.ts', source],
    ['what sluice prints', 'sluice read r_123456 | head -900', long],
    [
      'what it prints of another data folder',
      "node /a/electron/cli.js --data-dir '/b c' read r_123456",
      long,
    ],
    [
      'what has a header already',
      'cat notes.txt',
      `[Compressed: 9000→100 tokens, strategy: log, id: r_1] …\n${long}`,
    ],
  ])('%s', async (_, command, stdout) => {
    expect(await claude('Bash', shell(stdout), { tool_input: { command } })).toEqual({})
  })
})

describe('an output that the app has cut', () => {
  const persisted = (path: string) => ({
    ...shell(long.slice(0, 20_000)),
    persistedOutputPath: path,
    persistedOutputSize: 9,
  })

  it('is read whole from the file that the app names, which the answer no longer has', async () => {
    const folder = join(world.folder, 'projects', 's', 'tool-results')
    mkdirSync(folder, { recursive: true })
    const path = join(folder, 'b1.txt')
    writeFileSync(path, long)
    const answer = updated(await claude('Bash', persisted(path)))
    expect(answer).toEqual({ ...shell(SHORT) })
    expect(answer['stdout']).toContain('build finished in 41.2 s')
  })

  it('saves what the app itself would have shown, not the whole', async () => {
    const folder = join(world.folder, 'projects', 's', 'tool-results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'b2.txt'), long)
    const booked = Promise.withResolvers<CallRow>()
    const stop = world.engine.events.on('call-recorded', (row) => {
      if (row.session === 'cut') booked.resolve(row)
    })
    await claude('Bash', persisted(join(folder, 'b2.txt')), { session_id: 'cut' })
    const { tokensBefore, tokensAfter, strategy } = await booked.promise
    stop()
    expect(strategy).toBeDefined()
    expect(tokensBefore).toBeGreaterThan(500)
    // A preview of 2,000 characters.
    expect(tokensBefore).toBeLessThan(1_500)
    expect(tokensAfter).toBeLessThan(tokensBefore)
  })

  it('never takes more of the context than what the app would have shown', async () => {
    const folder = join(world.folder, 'projects', 's', 'tool-results')
    mkdirSync(folder, { recursive: true })
    // Nothing repeats, so that a form of 2,000 tokens would be full.
    const words = Array.from(
      { length: 9_000 },
      (_, n) => `w${(n * 7919) % 99_991}: ${Math.sqrt(n)} is noted.`,
    )
    const whole = words.join('\n')
    writeFileSync(join(folder, 'b3.txt'), whole)
    const cut = { ...shell(whole.slice(0, 20_000)), persistedOutputPath: join(folder, 'b3.txt') }
    const { stdout } = updated(await claude('Bash', cut))
    expect(stdout).toEqual(SHORT)
    const preview = countTokens(whole.slice(0, 2_000)) + 60
    expect(countTokens(String(stdout))).toBeLessThan(preview)
  })

  it('passes where the file is gone, elsewhere, or another text', async () => {
    const folder = join(world.folder, 'projects', 's', 'tool-results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(world.folder, 'secret.txt'), long)
    writeFileSync(join(folder, 'other.txt'), 'quite another text')
    for (const path of [
      join(folder, 'gone.txt'),
      join(world.folder, 'secret.txt'),
      join(folder, 'other.txt'),
      'x',
    ])
      expect(await claude('Bash', persisted(path))).toEqual({})
  })
})

describe('the other apps', () => {
  it('Codex gets the text as the reason of a block', async () => {
    const answer = await world.ask('codex', 'PostToolUse', {
      session_id: 'c1',
      turn_id: 't',
      transcript_path: null,
      cwd: '/work',
      tool_name: 'Bash',
      tool_input: { command: 'npm run build' },
      tool_response: long,
      tool_use_id: 'call_1',
    })
    expect(answer).toEqual({ decision: 'block', reason: SHORT })
  })

  it('Copilot CLI gets a modified result with all that was received', async () => {
    const answer = await world.ask('copilot-cli', 'postToolUse', {
      sessionId: 'p1',
      timestamp: 1,
      cwd: '/work',
      toolName: 'bash',
      toolArgs: { command: 'npm run build' },
      toolResult: { resultType: 'success', textResultForLlm: long, more: 1 },
    })
    expect(answer).toEqual({ modifiedResult: { resultType: 'success', textResultForLlm: SHORT, more: 1 } })
  })

  it('Copilot CLI saves what is large: the whole is read, and the end of its shell stays', async () => {
    const end = '\n<shellId: 1 completed with exit code 3>'
    const file = join(world.folder, '1795659444759-copilot-tool-output-15499-6846d34c.txt')
    writeFileSync(file, long)
    const notice = (path: string): string =>
      `Output too large to read at once (38.9 KB). Saved to: ${path}\nConsider using tools like rg.\n\nPreview (first 500 chars):\n${long.slice(0, 500)}${end}`
    const ask = (path: string) =>
      world.ask('copilot-cli', 'postToolUse', {
        sessionId: 'p2',
        toolName: 'bash',
        toolArgs: { command: 'npm run build' },
        toolResult: { resultType: 'success', textResultForLlm: notice(path) },
      })
    const { modifiedResult } = await ask(file)
    const text = (modifiedResult as JsonObject | undefined)?.['textResultForLlm']
    expect(text).toMatch(
      /^exit code 3\n\[Compressed: [^]*error TS2345[^]*\n<shellId: 1 completed with exit code 3>$/,
    )
    // An output may print such a notice about any file.
    const secret = join(world.folder, 'secret.txt')
    writeFileSync(secret, long)
    expect(await ask(secret)).toEqual({})
  })

  it('opencode gets the text, with the exit code that its model would miss', async () => {
    const answer = await world.ask('opencode', 'tool.execute.after', {
      sessionID: 'o1',
      callID: 'x1',
      tool: 'bash',
      args: { command: 'npm run build' },
      output: long,
      metadata: { exit: 2 },
    })
    expect(answer['output']).toMatch(/^exit code 2\n\[Compressed: /)
  })

  it('Gemini CLI is asked for a second call, unless it is that call', async () => {
    const payload = {
      session_id: 'g1',
      cwd: '/work',
      tool_name: 'run_shell_command',
      tool_input: { command: 'npm run build' },
      tool_response: { llmContent: long, returnDisplay: '' },
    }
    // Nothing could read what is kept: a call of a tool that isn't there would replace the output by an error.
    expect(await world.ask('gemini-cli', 'AfterTool', payload)).toEqual({})
    mkdirSync(join(world.folder, '.gemini'))
    const entry = { command: 'sluice', args: ['connect', '--client', 'gemini-cli'] }
    const file = JSON.stringify({ mcpServers: { plain: { command: 'x' }, tools: entry } })
    writeFileSync(join(world.folder, '.gemini', 'settings.json'), file)
    expect(await world.ask('gemini-cli', 'AfterTool', { ...payload, session_id: 'g2' })).toEqual({})
    await world.listsTools('gemini-cli')
    const { hookSpecificOutput } = await world.ask('gemini-cli', 'AfterTool', {
      ...payload,
      session_id: 'g3',
    })
    expect(hookSpecificOutput).toEqual({
      hookEventName: 'AfterTool',
      tailToolCallRequest: {
        name: 'mcp_tools_proxy_read',
        args: { id: expect.stringMatching(/^r_/) as string },
      },
    })
    const again = { ...payload, original_request_name: 'run_shell_command' }
    expect(await world.ask('gemini-cli', 'AfterTool', again)).toEqual({})
  })
})

describe('the same call', () => {
  it('gets the same bytes, also when two hooks ask at once', async () => {
    const call = { tool_use_id: 'toolu_same', tool_input: { command: 'make' } }
    const [one, two] = await Promise.all([
      claude('Bash', shell(long), call),
      claude('Bash', shell(long), call),
    ])
    expect(updated(one)).toEqual(shell(SHORT))
    expect(JSON.stringify(two)).toBe(JSON.stringify(one))
    expect(JSON.stringify(await claude('Bash', shell(long), call))).toBe(JSON.stringify(one))
  })
})

describe('a sub-agent', () => {
  const agent = (type: string, tool: string, response: unknown) =>
    claude(tool, response, { agent_id: `a-${type}`, agent_type: type })
  const page = { bytes: 9, code: 200, codeText: 'OK', result: long, durationMs: 3, url: 'https://a.example' }

  it('without a known way to read what is left out gets all of it', async () => {
    expect(await agent('web-only', 'WebFetch', page)).toEqual({})
  })

  it('that has used a shell gets the command of the shell', async () => {
    await agent('with-shell', 'Bash', shell('ok\n'))
    expect(String(updated(await agent('with-shell', 'WebFetch', page))['result'])).toContain(
      '`sluice read r_',
    )
  })
})
