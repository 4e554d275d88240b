import http from 'node:http'
import https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { Attributes, Context } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { ToolCall, TraceContext } from '../message/call.ts'
import { SluiceError } from '../ground/errors.ts'
import { RpcError } from '../protocol/json-rpc.ts'
import type { CallSpan, CallTracer, Ended, SpanSide } from './call-tracer.ts'

export interface OtlpTracerOptions {
  /** OTLP receiver, without `/v1/traces`. */
  readonly endpoint: string
  /** Called before each export. */
  readonly headers: () => Promise<Record<string, string>>
  readonly version: string
  /** Undefined for a local program. */
  readonly urlOf: (serverId: string) => string | undefined
  readonly clock: () => number
  /** Export failures. */
  readonly warn: (message: string) => void
  readonly intervalMs?: { readonly metrics: number; readonly spans: number }
}

const DEFAULT_INTERVALS = { metrics: 60_000, spans: 5_000 }
const CLOSE_MS = 2_000
/** Seconds, as the conventions for MCP advise. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

/**
 * OpenTelemetry's conventions for MCP (open-telemetry/semantic-conventions-genai, in development), as OTLP/JSON.
 * Names, times and sizes only, no arguments, results or error texts.
 */
export function openOtlpTracer(options: OtlpTracerOptions): CallTracer {
  diag.setLogger(
    { error: options.warn, warn: options.warn, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
  const { metrics: metricsMs, spans: spansMs } = options.intervalMs ?? DEFAULT_INTERVALS
  const exporting = (path: string) => ({
    url: `${options.endpoint.replace(/\/+$/, '')}${path}`,
    headers: options.headers,
    // Agents with the current proxies; named imports would be those of the start.
    httpAgentOptions: (protocol: string) => (protocol === 'https:' ? https : http).globalAgent,
  })
  const resource = resourceFromAttributes({ 'service.name': 'sluice', 'service.version': options.version })
  const spans = new TracerProvider({
    resource,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter(exporting('/v1/traces')),
        scheduledDelayMillis: spansMs,
      }),
    ],
  })
  const figures = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(exporting('/v1/metrics')),
        exportIntervalMillis: metricsMs,
        exportTimeoutMillis: Math.min(metricsMs, 30_000),
      }),
    ],
  })
  const tracer = spans.getTracer('sluice', options.version)
  const meter = figures.getMeter('sluice', options.version)
  const duration = (side: SpanSide) =>
    meter.createHistogram(`mcp.${side}.operation.duration`, {
      unit: 's',
      description:
        side === 'server'
          ? 'Calls of clients, as Sluice answers them.'
          : 'Calls of the servers behind Sluice.',
      advice: { explicitBucketBoundaries: BUCKETS },
    })
  const durations = { server: duration('server'), client: duration('client') }
  const tokens = meter.createCounter('sluice.result.tokens', {
    unit: '{token}',
    description: 'Tokens of results that were shortened, before and after.',
  })
  const propagator = new W3CTraceContextPropagator()

  return {
    start: (side, call): CallSpan => {
      const started = options.clock()
      const low = lowCardinality(call)
      const span = tracer.startSpan(
        `tools/call ${call.tool}`,
        {
          kind: side === 'server' ? SpanKind.SERVER : SpanKind.CLIENT,
          attributes: {
            ...low,
            'mcp.session.id': call.sessionId,
            'sluice.call.id': call.id,
            'sluice.client.name': call.clientName,
            ...(side === 'client' ? placeOf(options.urlOf(call.serverId)) : {}),
          },
        },
        contextOf(call.traceContext, propagator),
      )
      return {
        context: wireContext(trace.setSpan(ROOT_CONTEXT, span), propagator),
        end: (ended) => {
          const failure = failureOf(ended)
          span.setAttributes({ ...failure, ...whatSluiceDid(ended) })
          if (failure['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
          durations[side].record((options.clock() - started) / 1000, { ...low, ...failure })
          const shortened = ended.outcome?.compression
          if (side === 'server' && shortened && shortened.skipped === undefined) {
            const labels = { 'sluice.server.id': call.serverId, 'sluice.strategy': shortened.strategy }
            tokens.add(shortened.tokensBefore, { ...labels, 'sluice.side': 'before' })
            tokens.add(shortened.tokensAfter, { ...labels, 'sluice.side': 'after' })
          }
        },
      }
    },
    close: async () => {
      const closing = Promise.allSettled([spans.shutdown(), figures.shutdown()])
      await Promise.race([closing, wait(CLOSE_MS, undefined, { ref: false })])
    },
  }
}

const lowCardinality = (call: ToolCall): Attributes => ({
  'mcp.method.name': 'tools/call',
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': call.tool,
  'sluice.server.id': call.serverId,
})

function placeOf(url: string | undefined): Attributes {
  if (url === undefined || !URL.canParse(url)) return { 'network.transport': 'pipe' }
  const { hostname, port, protocol } = new URL(url)
  return {
    'network.transport': 'tcp',
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
  }
}

function failureOf({ outcome, error }: Ended): Attributes {
  if (outcome) return outcome.result['isError'] === true ? { 'error.type': 'tool_error' } : {}
  if (error instanceof RpcError)
    return { 'error.type': String(error.code), 'rpc.response.status_code': String(error.code) }
  if (error instanceof SluiceError) return { 'error.type': error.code }
  return { 'error.type': error instanceof Error ? error.name : '_OTHER' }
}

const whatSluiceDid = ({ outcome }: Ended): Attributes => ({
  ...(outcome?.cached === undefined ? {} : { 'sluice.cached': outcome.cached }),
  ...(outcome?.refusedBy === undefined ? {} : { 'sluice.refused': true }),
  ...(outcome?.compression === undefined
    ? {}
    : {
        'sluice.strategy': outcome.compression.strategy,
        'sluice.tokens.before': outcome.compression.tokensBefore,
        'sluice.tokens.after': outcome.compression.tokensAfter,
      }),
})

const contextOf = (context: TraceContext | undefined, propagator: W3CTraceContextPropagator): Context =>
  context ? propagator.extract(ROOT_CONTEXT, { ...context }, defaultTextMapGetter) : ROOT_CONTEXT

function wireContext(context: Context, propagator: W3CTraceContextPropagator): TraceContext {
  const carrier: Record<string, string> = {}
  propagator.inject(context, carrier, defaultTextMapSetter)
  const { traceparent = '', tracestate } = carrier
  return { traceparent, ...(tracestate === undefined ? {} : { tracestate }) }
}
