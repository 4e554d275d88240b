import type { KnownTurns, Worth } from './api/savings.ts'

/** How a sum of money was made, for the places that show it. `count`: formats a number. */
export function describeWorth(
  { net, worth }: { readonly net: number; readonly worth: Worth },
  { turns, sessions, sessionsWithTurns }: KnownTurns,
  count: (value: number) => string,
): string {
  const priced =
    worth.priced === net
      ? 'At list price.'
      : worth.priced === 0
        ? 'No client’s model is known, so the savings have no price.'
        : `At list price, for ${count(worth.priced)} of ${count(net)} net tokens; of the rest the model isn’t known.`
  if (worth.priced === 0 && net !== 0) return priced
  const once =
    sessionsWithTurns === 0
      ? 'Each token counts once, as written: later turns of the clients aren’t known.'
      : `Each token counts once as written, and as read in later turns where these are known: ${count(turns)} turns, ${count(sessionsWithTurns)} of ${count(sessions)} sessions.`
  return `${priced} ${once}`
}
