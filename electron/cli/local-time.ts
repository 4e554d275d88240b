/** Swedish dates have ISO 8601's form. */
export const localTime = (at: number): string =>
  new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
