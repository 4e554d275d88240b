/** `2026-03-01 14:05` in local time; the Swedish locale writes dates like ISO 8601. */
export const localTime = (at: number): string =>
  new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
