export const formatTime = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export const formatDate = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

export const formatDateTime = (at: number): string => `${formatDate(at)}, ${formatTime(at)}`

/** The time of today, with the day for what is older. */
export const formatMoment = (at: number, now = Date.now()): string =>
  new Date(at).toDateString() === new Date(now).toDateString()
    ? formatTime(at)
    : `${new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${formatTime(at).slice(0, 5)}`

/** How long ago, in the largest whole unit. */
export const formatAgo = (at: number, now = Date.now()): string =>
  now - at < 60_000 ? 'just now' : `${formatDuration(at, now)} ago`

/** How long since then, in the largest whole unit. */
export function formatDuration(since: number, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.floor(seconds / 60), 'minute']
        : seconds < 86_400
          ? [Math.floor(seconds / 3600), 'hour']
          : [Math.floor(seconds / 86_400), 'day']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
