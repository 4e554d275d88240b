/** Coarse, because nothing depends on seconds. */
export function agoWords(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'less than a minute ago'
  return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
}
