import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countTokens } from '../../../electron/engine/text/tokens/count-tokens.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import type { Database } from '../../../electron/engine/ground/database/database.ts'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import type { JsonObject } from '../../../electron/engine/protocol/json-rpc.ts'
import {
  callExplorationTool,
  explorationToolDefinitions,
  isExplorationTool,
} from '../../../electron/engine/results/exploration-tools.ts'
import type { ExplorationContext } from '../../../electron/engine/results/exploration-tools.ts'
import { ResultStore } from '../../../electron/engine/results/store.ts'
import { WorkerPool } from '../../../electron/engine/work/worker-pool.ts'
import { tokenCounter } from '../../helpers/token-counter.ts'
import { removeFolder } from '../../helpers/remove-folder.ts'

let base: string
let database: Database
let pool: WorkerPool
let store: ResultStore
let clock = Date.UTC(2026, 10, 22)

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'sluice-explore-'))
  database = openDatabase({ path: join(base, 'sluice.db'), logger: silentLogger, now: () => clock })
  pool = new WorkerPool({ logger: silentLogger, size: 1 })
  store = new ResultStore({
    database,
    folder: join(base, 'results'),
    logger: silentLogger,
    now: () => clock,
    limits: () => ({ ttlMs: 3_600_000, maxBytes: 1e9 }),
    pack: (result) => pool.run('pack-result', result),
    unpack: (source) => pool.run('unpack-result', source),
  })
})
afterAll(async () => {
  await pool.close()
  database.close()
  removeFolder(base)
})

const textResult = (...texts: string[]): JsonObject => ({
  content: texts.map((text) => ({ type: 'text', text })),
})

async function keep(...texts: string[]): Promise<string> {
  return (await store.put({ owner: 'claude', server: 's', tool: 'big_tool', result: textResult(...texts) }))
    .id
}

async function call(name: string, args: JsonObject | undefined, more: Partial<ExplorationContext> = {}) {
  const outcome = await callExplorationTool(name, args, {
    owner: 'claude',
    store,
    pool,
    countTokens: (text) => Promise.resolve(countTokens(text)),
    budget: 500,
    callFresh: () => Promise.reject(new Error('nobody should call')),
    ...more,
  })
  const texts = (outcome.result['content'] as { text: string }[]).map((item) => item.text)
  return { ...outcome, texts, text: texts.join('\n'), isError: outcome.result['isError'] === true }
}

const rows = Array.from({ length: 2000 }, (_, id) => ({
  id,
  status: id % 4 ? 'open' : 'done',
  note: `row number ${id}`,
}))

describe('definitions', () => {
  test('are five, in one order, and small', () => {
    expect(explorationToolDefinitions().map((definition) => definition['name'])).toEqual([
      'proxy_explore',
      'proxy_filter',
      'proxy_search',
      'proxy_read',
      'proxy_run',
    ])
    expect(tokenCounter.count(JSON.stringify(explorationToolDefinitions()))).toBeLessThan(1200)
    expect(isExplorationTool('proxy_read')).toBe(true)
    expect(isExplorationTool('toString')).toBe(false)
  })

  test('are valid MCP with read-only annotations and every argument that is taken', () => {
    for (const definition of explorationToolDefinitions()) {
      expect(definition).toMatchObject({
        title: expect.any(String) as string,
        description: expect.any(String) as string,
        inputSchema: { type: 'object' },
        annotations: { readOnlyHint: true },
      })
      const { properties } = definition['inputSchema'] as { properties: object }
      expect(Object.keys(properties).slice(0, 3)).toEqual(['id', 'tool', 'arguments'])
      expect(Object.keys(properties).at(-1)).toBe('max_tokens')
    }
  })
})

describe('over a kept result', () => {
  test('every tool answers from the same original', async () => {
    const id = await keep(JSON.stringify({ rows }))
    expect((await call('proxy_explore', { id })).text).toContain('rows: list of 2,000 objects')
    expect((await call('proxy_filter', { id, fields: ['$.rows[?@.status == "done"].id'] })).text).toContain(
      '{"id":0},{"id":4}',
    )
    expect((await call('proxy_search', { id, pattern: 'number 1234"' })).text).toContain('(rows[1234].note)')
    expect(
      (await call('proxy_run', { id, code: 'data.rows.filter((row) => row.status === "done").length' }))
        .texts[0],
    ).toMatch(/^500\n/)
    expect((await call('proxy_read', { id, unit: 'bytes', offset: 0, limit: 20 })).texts[0]).toBe(
      '{"rows":[{"id":0,"st',
    )
  })

  test('answers carry their tokens and the result they are about, for the ledger', async () => {
    const id = await keep(JSON.stringify(rows))
    const answer = await call('proxy_read', { id })
    expect(answer.resultId).toBe(id)
    expect(answer.tokens).toBe(answer.texts.reduce((sum, text) => sum + tokenCounter.count(text), 0))
    expect(answer.tokens).toBeLessThanOrEqual(500)
    expect((await call('proxy_read', { id, max_tokens: 2000 })).tokens).toBeGreaterThan(1000)
    expect((await call('proxy_read', { id, max_tokens: 9_999_999 })).tokens).toBeLessThanOrEqual(20_000)
  })

  test('an answer to a wrong query is about its result, too', async () => {
    const id = await keep(JSON.stringify(rows))
    const answer = await call('proxy_filter', { id, fields: ['size>100'] })
    expect(answer).toMatchObject({ isError: true, resultId: id })
    expect((await call('proxy_filter', { id: 'r_000000', fields: ['a'] })).resultId).toBeUndefined()
  })

  test('pages followed by their own words have the SHA-256 of the original', async () => {
    const original = Array.from({ length: 400 }, (_, line) => `line ${line} with é and 😀\n`).join('')
    let args: JsonObject | undefined = { id: await keep(original) }
    const pages: string[] = []
    while (args) {
      const [page = '', trailer = '']: string[] = (await call('proxy_read', args)).texts
      pages.push(page)
      const next: string | undefined = /Go on: proxy_read (\{.*\})/.exec(trailer)?.[1]
      args = next === undefined ? undefined : (JSON.parse(next) as JsonObject)
    }
    expect(pages.length).toBeGreaterThan(5)
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(sha256(pages.join(''))).toBe(sha256(original))
  })

  // The fourth design joined all text into one; mcpproxy-go mixed up the blocks of a result.
  test('predecessors 1D: several parts stay apart and are reached by their own ids', async () => {
    const id = await keep('{"a":1}', 'plain words', '{"b":2}')
    expect((await call('proxy_read', { id: `${id}/1` })).texts[0]).toBe('plain words')
    expect((await call('proxy_filter', { id: `${id}/2`, fields: ['b'] })).text).toMatch(/^\{"b":2\}/)
    expect((await call('proxy_read', { id })).text).toContain(`1 of 3 parts, the next is ${id}/1`)
    expect((await call('proxy_search', { id, pattern: 'plain|b' })).text).toMatch(`${id}/1: 1: plain words`)
    expect((await call('proxy_explore', { id })).text).toContain(`${id}/2: json`)
    const wrong = await call('proxy_read', { id: `${id}/3` })
    expect(wrong).toMatchObject({
      isError: true,
      text: expect.stringContaining(`has 3, ${id}/0 to ${id}/2`) as string,
    })
  })

  // RLM and MCPCP dropped structuredContent.
  test('predecessors 1B.5: structured content that says more than the text can be explored', async () => {
    const result = { ...textResult('3 rows'), structuredContent: { rows: [1, 2, 3] } }
    const { id } = await store.put({ owner: 'claude', server: 's', tool: 't', result })
    expect((await call('proxy_filter', { id: `${id}/1`, fields: ['rows[1]'] })).text).toMatch(
      /^\{"rows":\[2\]\}/,
    )
  })

  test('a result of nothing but images says that there is no text', async () => {
    const result = { content: [{ type: 'image', data: 'AA==', mimeType: 'image/png' }] }
    const { id } = await store.put({ owner: 'claude', server: 's', tool: 't', result })
    expect(await call('proxy_read', { id })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no text') as string,
    })
  })
})

describe('over a fresh call', () => {
  // RLM kept fresh results, but wrote their id only to the debug log.
  test('predecessors 1B.12: the original is kept and its id is named', async () => {
    const asked: unknown[] = []
    const answer = await call(
      'proxy_search',
      { tool: 'files__read', arguments: { path: 'x' }, pattern: 'number 7"' },
      {
        callFresh: async (tool, args) => {
          asked.push(tool, args)
          return textResult(JSON.stringify(rows))
        },
      },
    )
    expect(asked).toEqual(['files__read', { path: 'x' }])
    expect(answer.resultId).toMatch(/^r_/)
    expect(answer.text).toContain(answer.resultId)
    expect((await call('proxy_read', { id: answer.resultId, limit: 1 })).isError).toBe(false)
  })

  test('a result that was shortened on its way is looked into by its original', async () => {
    const id = await keep(JSON.stringify(rows))
    const shortened = { ...textResult('[Compressed…]'), _meta: { 'sluice/result': { id } } }
    const answer = await call(
      'proxy_run',
      { tool: 't', code: 'data.length' },
      { callFresh: async () => shortened },
    )
    expect(answer).toMatchObject({ resultId: id, texts: [`2000\n[From ${id}.]`] })
  })

  // RLM turned failures into plain text.
  test('predecessors 1B.4: a tool that fails stays failed', async () => {
    const failed = { ...textResult('no such file'), isError: true }
    expect(await call('proxy_read', { tool: 't' }, { callFresh: async () => failed })).toMatchObject({
      result: failed,
      tokens: tokenCounter.count('no such file'),
    })
    const refused = await call(
      'proxy_read',
      { tool: 't' },
      { callFresh: () => Promise.reject(new Error('The tool is blocked.')) },
    )
    expect(refused).toMatchObject({ isError: true, text: 'The tool is blocked.' })
  })

  test('an unfinished result passes as it is', async () => {
    const unfinished = { resultType: 'input_required', inputRequests: {}, content: [] }
    expect((await call('proxy_read', { tool: 't' }, { callFresh: async () => unfinished })).result).toBe(
      unfinished,
    )
  })

  test('with a store that is broken the answer still comes, and its next call asks the tool again', async () => {
    const broken: ExplorationContext['store'] = {
      get: (id, owner) => store.get(id, owner),
      source: (stored) => store.source(stored),
      put: () => Promise.reject(new Error('disk full')),
    }
    const answer = await call(
      'proxy_read',
      { tool: 't', arguments: { a: 1 } },
      { store: broken, callFresh: async () => textResult('words\n'.repeat(5000)) },
    )
    expect(answer.isError).toBe(false)
    expect(answer.resultId).toBeUndefined()
    expect(answer.texts[1]).toContain('proxy_read {"tool":"t","arguments":{"a":1}')
  })

  test('an exploration tool is not called through another', async () => {
    const answer = await call('proxy_read', { tool: 'proxy_read', arguments: {} })
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('no results of its own') as string,
    })
  })
})

describe('mistakes are results that say what to do', () => {
  test.each<[string, JsonObject | undefined, RegExp]>([
    ['proxy_read', {}, /"id" of a stored result, or a "tool"/],
    ['proxy_read', undefined, /"id" of a stored result/],
    ['proxy_read', { id: 'r_000000' }, /No result "r_000000".*Call the tool again/],
    ['proxy_read', { id: '../../etc/passwd' }, /No result "..\/..\/etc\/passwd"/],
    ['proxy_read', { id: 'agent_1:3cc0b6f9354c/0' }, /Call the tool again/],
    ['proxy_read', { id: '', unit: 'lines' }, /No result ""/],
    [
      'proxy_read',
      { cache_id: 'r_1' },
      /unknown argument "cache_id".*It takes: id, tool, arguments, unit, offset, limit, max_tokens/,
    ],
    ['proxy_filter', { id: 'r_1', feilds: ['a'] }, /unknown argument "feilds". Did you mean "fields"\?/],
    ['proxy_search', { id: 'r_1' }, /"pattern" is missing\./],
    ['proxy_search', { id: 'r_1', pattern: 'x', mode: 'grep' }, /"mode" is one of regex, bm25/],
    ['proxy_filter', { id: 'r_1', fields: ['a'], query: 'b' }, /unknown argument "query"/],
    ['proxy_read', { id: 'r_1', max_tokens: 5 }, /max_tokens: .*100/],
    ['proxy_read', { id: 7 }, /id: .*string/],
  ])('%s %j', async (name, args, message) => {
    const answer = await call(name, args)
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(message)
    expect(answer.tokens).toBe(tokenCounter.count(answer.text))
    expect(answer.tokens).toBeLessThan(120)
    // The guard once took the advice for orders to the model.
    expect(answer.isOwnError).toBe(true)
  })

  test('the main argument under the name that models give it', async () => {
    const id = await keep(JSON.stringify(rows))
    expect((await call('proxy_filter', { id, path: '$[3].note' })).texts[0]).toContain('row number 3')
    expect((await call('proxy_search', { id, query: 'number 1999' })).texts[0]).toContain('1999')
    expect((await call('proxy_run', { id, script: 'data.length' })).texts[0]).toContain('2000')
  })

  test.each<[string, JsonObject, RegExp]>([
    ['proxy_filter', { fields: ['nope'] }, /No field "nope"/],
    ['proxy_filter', { fields: ['[status ~ 1]'] }, /Queries are JSONPath/],
    ['proxy_search', { pattern: '(' }, /RE2 syntax/],
    ['proxy_run', { code: 'nope()' }, /ReferenceError.*\. `data` is a list of 2000, `text` the result/],
    ['proxy_run', { code: 'for (;;);', timeout_ms: 50 }, /stopped after 50 ms/],
    ['proxy_read', { offset: 10 }, /behind the end/],
  ])('from the worker: %s %j', async (name, args, message) => {
    const id = await keep(JSON.stringify(rows))
    const answer = await call(name, { id, ...args })
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(message) as string })
    expect(answer.isOwnError).toBeUndefined()
  })

  // RLM did not check ownership: any holder of an id could read the result.
  test("predecessors 1B.8: another client's result does not exist", async () => {
    const id = await keep('secret words')
    for (const name of explorationToolDefinitions().map((definition) => String(definition['name']))) {
      const answer = await call(
        name,
        { id, pattern: 's', code: 'text', fields: ['a'], ...argumentsOnlyOf(name) },
        { owner: 'cursor' },
      )
      expect(answer.isError).toBe(true)
      expect(answer.text).not.toContain('secret')
    }
    const answer = await call('proxy_read', { id }, { owner: 'cursor' })
    expect(answer.text).toContain('No result')
  })

  test('an expired result names the tool to call again', async () => {
    const id = await keep('short-lived')
    clock += 3_600_000
    expect(await call('proxy_read', { id })).toMatchObject({
      isError: true,
      text: expect.stringContaining('"big_tool"') as string,
    })
  })

  test('a cancelled call rejects', async () => {
    const id = await keep(JSON.stringify(rows))
    const controller = new AbortController()
    const running = call('proxy_run', { id, code: 'for (;;);' }, { signal: controller.signal })
    controller.abort(new Error('cancelled'))
    await expect(running).rejects.toThrow('cancelled')
  })

  test('an unknown name is the caller’s fault', async () => {
    await expect(call('proxy_raed', {})).rejects.toMatchObject({
      code: 'TOOL_UNKNOWN',
      message: expect.stringContaining('proxy_read') as string,
    })
  })
})

/** Removes arguments that a tool does not have. */
function argumentsOnlyOf(name: string): JsonObject {
  const known = explorationToolDefinitions().find((definition) => definition['name'] === name)?.[
    'inputSchema'
  ] as {
    properties: object
  }
  return Object.fromEntries(
    ['pattern', 'code', 'fields'].filter((key) => !(key in known.properties)).map((key) => [key, null]),
  )
}

test('arguments as models send them are understood', async () => {
  const id = await keep(JSON.stringify(rows))
  expect((await call('proxy_filter', { id, fields: '[0:2].id' })).text).toMatch(/^\[\{"id":0\},\{"id":1\}\]/)
  expect((await call('proxy_filter', { id, fields: '["[0].id"]', exclude: null })).text).toMatch(
    /^\[\{"id":0\}\]/,
  )
  expect((await call('proxy_read', { id, unit: 'bytes', offset: '1', limit: '7' })).texts[0]).toBe('{"id":0')
})
