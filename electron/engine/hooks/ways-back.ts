import type { Reader } from '../message/call.ts'
import type { BuiltInKind } from '../settings/built-in-policy.ts'
import type { Speaker } from './hook-event.ts'

/** Sub-agents that come with an app, by what their tools can read. */
const KNOWN_AGENTS: Readonly<Record<string, readonly Reader[]>> = {
  'general-purpose': ['command', 'file', 'tool'],
  Explore: ['command', 'file'],
  Plan: ['command', 'file'],
}

export interface WaysBackOptions {
  readonly hasTools: (clientName: string) => boolean
  readonly readsFiles: (clientName: string) => boolean
  readonly readCommand?: string | undefined
}

/**
 * How this agent reads a kept result, the shortest first. A main agent has a shell and files; of a sub-agent only what
 * it is known for, and what it has used, is certain. None: nothing may be shortened.
 */
export function waysBack(
  { hasTools, readsFiles, readCommand }: WaysBackOptions,
  {
    app,
    agent,
    seen,
  }: { readonly app: string; readonly agent: Speaker['agent']; readonly seen: ReadonlySet<Reader> },
): readonly Reader[] {
  const can = new Set<Reader>([
    ...seen,
    ...(agent ? (KNOWN_AGENTS[agent.type ?? ''] ?? []) : (['command', 'file', 'tool'] as const)),
  ])
  return [
    // Needs no permission.
    ...(can.has('tool') && hasTools(app) ? (['tool'] as const) : []),
    ...(can.has('command') && readCommand !== undefined ? (['command'] as const) : []),
    ...(can.has('file') && readsFiles(app) ? (['file'] as const) : []),
  ]
}

/** What the use of a tool shows of its agent. */
export const readerOf = (kind: BuiltInKind): Reader | undefined =>
  kind === 'shell' ? 'command' : kind === 'file' ? 'file' : undefined
