import type { Client } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { engineWorld } from '../../helpers/engine-world.ts'
import { jsonServer } from '../../helpers/json-server.ts'
import type { JsonServer } from '../../helpers/json-server.ts'
import { testServer } from '../../helpers/upstream.ts'
import { waitFor } from '../../helpers/wait-for.ts'

/** OTLP in JSON, as a receiver gets it. */
interface OtlpValue {
  readonly stringValue?: string
  readonly intValue?: number
  readonly boolValue?: boolean
}
interface Attribute {
  readonly key: string
  readonly value: OtlpValue
}
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code: number }
}
interface Metric {
  readonly name: string
  readonly unit: string
  readonly histogram?: { dataPoints: { count: number; attributes: Attribute[]; explicitBounds: number[] }[] }
  readonly sum?: { dataPoints: { asDouble?: number; asInt?: number; attributes: Attribute[] }[] }
}

const bodiesAt = ({ received }: JsonServer, path: string): unknown[] =>
  received.filter((request) => request.path === path).map(({ body }) => JSON.parse(body) as unknown)

const spansAt = (receiver: JsonServer): Span[] =>
  (bodiesAt(receiver, '/v1/traces') as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }[]).flatMap(
    ({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )

const metricsAt = (receiver: JsonServer): Metric[] =>
  (
    bodiesAt(receiver, '/v1/metrics') as { resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] }[]
  ).flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
  )

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] as unknown]))

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const meta = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1', 'example.org/kept': 'yes' }

async function metaOf(client: Client, args: Record<string, unknown> = {}): Promise<typeof meta> {
  const { content } = await client.callTool({ name: 'meta', arguments: args, _meta: meta })
  return JSON.parse(content[0]?.type === 'text' ? content[0].text : '') as typeof meta
}

test('calls become spans and figures of the MCP conventions, with one id through log, ledger and trace', async () => {
  const receiver = await jsonServer({})
  const { engine, connect } = await engineWorld(
    { s: testServer('misbehaving') },
    {
      approvals: { firstSight: 'trust' },
      telemetry: { endpoint: `${receiver.url}/`, headers: { 'X-Key': '${secret:RECEIVER}' } },
    },
    {
      secrets: {
        get: async (name: string) => (name === 'RECEIVER' ? 'the key' : undefined),
      } as unknown as NonNullable<NonNullable<Parameters<typeof engineWorld>[2]>['secrets']>,
    },
  )
  const { client, call } = await connect({ name: 'tracing' })
  const secret = 'what-only-the-arguments-say'
  // OpenTelemetry loads after the engine starts; until then calls are not traced.
  const upstream = await waitFor(async () => {
    const got = await metaOf(client, { any: secret })
    expect(got.traceparent).not.toBe(meta.traceparent)
    return got
  }, 200)
  // The server gets a child of Sluice's span in the client's trace; everything else is unchanged.
  const [, trace, span] = upstream.traceparent.split('-')
  expect(trace).toBe(TRACE)
  expect(span).not.toBe(PARENT)
  expect(upstream).toMatchObject({ tracestate: 'vendor=1', 'example.org/kept': 'yes' })
  await expect(client.callTool({ name: 'refuse' })).rejects.toThrow('What only the error says.')
  await expect(call('no-such-tool')).rejects.toThrow('Unknown tool: no-such-tool')
  await call('huge', { bytes: 100_000 })
  await engine.close()

  const spans = spansAt(receiver)
  const asked = spans.find(({ spanId }) => spanId === span)
  const answered = spans.find(({ spanId }) => spanId === asked?.parentSpanId)
  expect(answered).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, name: 'tools/call meta', kind: 2 })
  expect(asked).toMatchObject({ traceId: TRACE, name: 'tools/call meta', kind: 3 })
  const facts = valuesOf(answered?.attributes ?? [])
  expect(facts).toMatchObject({
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'meta',
    'gen_ai.operation.name': 'execute_tool',
    'sluice.server.id': 's',
    'sluice.client.name': 'tracing',
  })
  expect(valuesOf(asked?.attributes ?? [])).toMatchObject({
    'network.transport': 'pipe',
    'sluice.call.id': facts['sluice.call.id'],
  })
  expect(facts['sluice.call.id']).toMatch(/^c_/)
  const refused = spans.filter(({ name }) => name === 'tools/call refuse')
  expect(refused.map(({ status, attributes }) => [status.code, valuesOf(attributes)['error.type']])).toEqual([
    [2, '-31999'],
    [2, '-31999'],
  ])
  const unknown = spans.filter(({ name }) => name === 'tools/call no-such-tool')
  expect(unknown.map(({ kind, attributes }) => [kind, valuesOf(attributes)['error.type']])).toEqual([
    [2, '-32602'],
  ])
  expect(receiver.received[0]?.headers['x-key']).toBe('the key')

  const metrics = metricsAt(receiver)
  for (const name of ['mcp.server.operation.duration', 'mcp.client.operation.duration']) {
    const metric = metrics.find((each) => each.name === name)
    expect(metric?.unit).toBe('s')
    const tools = metric?.histogram?.dataPoints.map(
      ({ attributes }) => valuesOf(attributes)['gen_ai.tool.name'],
    )
    expect(tools).toEqual(expect.arrayContaining(['meta', 'refuse', 'huge']))
    expect(metric?.histogram?.dataPoints[0]?.explicitBounds).toContain(300)
  }
  const tokens = metrics.find(({ name }) => name === 'sluice.result.tokens')?.sum?.dataPoints ?? []
  const sides = Object.fromEntries(
    tokens.map((point) => [valuesOf(point.attributes)['sluice.side'], point.asDouble ?? point.asInt]),
  )
  expect(Number(sides['after'])).toBeLessThan(Number(sides['before']))
  // No arguments, results or error texts.
  const sent = receiver.received.map(({ body }) => body).join()
  expect(sent).not.toContain(secret)
  expect(sent).not.toContain('only the error')
  expect(sent).not.toContain('xxxxx')
})

test('it can be switched on and off while running, and a row of the ledger has the id of its span', async () => {
  const receiver = await jsonServer({})
  const { engine, connect } = await engineWorld(
    { s: testServer('misbehaving') },
    { approvals: { firstSight: 'trust' } },
  )
  const ids: string[] = []
  engine.events.on('call-recorded', ({ id }) => void ids.push(id))
  const { client } = await connect()
  expect(await metaOf(client)).toEqual(meta)
  engine.settings.update([{ path: ['telemetry', 'endpoint'], value: receiver.url }])
  await waitFor(async () => expect(await metaOf(client)).not.toEqual(meta), 100)
  engine.settings.update([{ path: ['telemetry', 'endpoint'], value: undefined }])
  // Recorded spans are sent when it is switched off.
  await waitFor(() => expect(spansAt(receiver)).not.toEqual([]))
  expect(await metaOf(client)).toEqual(meta)
  await waitFor(() => expect(ids.length).toBeGreaterThan(2))
  const traced = spansAt(receiver).map(({ attributes }) => valuesOf(attributes)['sluice.call.id'])
  expect(ids).toEqual(expect.arrayContaining(traced))
})

test('a receiver that is gone costs no call', async () => {
  const { connect, engine } = await engineWorld(
    { s: testServer('misbehaving') },
    { approvals: { firstSight: 'trust' }, telemetry: { endpoint: 'http://127.0.0.1:9' } },
  )
  const { call } = await connect()
  for (let calls = 0; calls < 5; calls++) expect(await call('echo', { text: 'on' })).toBe('on')
  const started = performance.now()
  await engine.close()
  expect(performance.now() - started).toBeLessThan(15_000)
})
