/** `2026-03-01 14:05` on this machine's clock; Swedish writes dates as ISO 8601 does. */
export const localTime = (at: number): string =>
  new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
