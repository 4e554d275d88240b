import type { Engine } from '../engine/engine.ts'
import { createFailureWatch } from './failure-watch.ts'
import type { Notice } from './notice-queue.ts'

export function followEngine(
  { events }: Pick<Engine, 'events'>,
  options: { add(notice: Notice): void; now: () => number },
): () => void {
  const add = (notice: Notice): void => options.add(notice)
  const failing = createFailureWatch(options.now)
  const stops = [
    events.on('approval-needed', ({ serverId, summary }) =>
      add({
        kind: 'changes',
        about: serverId,
        title: `${serverId} waits for your approval`,
        body: summary,
        target: { review: serverId },
      }),
    ),
    events.on('attack-found', ({ server, tool, reasons, quarantineId, isUnscanned }) => {
      if (quarantineId === undefined) return
      add({
        kind: 'quarantine',
        about: `${server} ${tool}`,
        title: `A result of ${server} was quarantined`,
        body: isUnscanned
          ? `${tool}: it could not be scanned, so its contents are unknown.`
          : `${tool}: ${reasons[0] ?? 'it looks like an attack on the model'}`,
        target: { route: `/quarantine/${encodeURIComponent(quarantineId)}` },
      })
    }),
    events.on('budget-step', ({ budget, from, maxOutputTokens, period }) =>
      add({
        kind: 'budgets',
        about: budget,
        title: `Budget ${budget}: ${Math.round(100 * from)} % used`,
        body: `Until the end of ${period}, results are shortened to at most ${maxOutputTokens} tokens. Nothing is refused.`,
        target: { route: '/' },
      }),
    ),
    events.on('server-state', ({ serverId, state, reason }) => {
      if (state === 'ready') failing.noteReady(serverId)
      if (state !== 'failed' || !failing.noteFailed(serverId)) return
      add({
        kind: 'failures',
        about: serverId,
        title: `${serverId} keeps failing`,
        body: firstLine(reason ?? 'It can’t be started.'),
        target: { route: `/servers/${encodeURIComponent(serverId)}` },
      })
    }),
    events.on('part-restarted', ({ part, why }) =>
      add({
        kind: 'failures',
        about: part,
        title: 'A part of Sluice was restarted',
        body: `${part}: ${firstLine(why)}. Calls in it failed; the next ones work.`,
        target: { route: '/logs' },
      }),
    ),
  ]
  return () => stops.forEach((stop) => stop())
}

const LONGEST_BODY = 200

function firstLine(text: string): string {
  const line = text.split('\n')[0] ?? ''
  return line.length > LONGEST_BODY ? `${line.slice(0, LONGEST_BODY)}…` : line
}
