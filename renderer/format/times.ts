const two = (number: number): string => String(number).padStart(2, '0')

// Manual, because at a hundred calls/s creating formatters dominates.
export const formatTime = (at: number): string => {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

let dayFormat: Intl.DateTimeFormat | undefined
export const formatDay = (at: number): string =>
  (dayFormat ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })).format(at)

export const formatDate = (at: number): string => `${formatDay(at)} ${new Date(at).getFullYear()}`

const isSameDay = (a: Date, b: Date): boolean =>
  a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear()

export const formatDateTime = (at: number): string => `${formatDate(at)}, ${formatTime(at)}`

/** Today: the time; older: with the day. */
export const formatMoment = (at: number, now = Date.now()): string =>
  isSameDay(new Date(at), new Date(now)) ? formatTime(at) : `${formatDay(at)} ${formatTime(at).slice(0, 5)}`

/** Largest whole unit. */
export const formatAgo = (at: number, now = Date.now()): string =>
  now - at < 60_000 ? 'just now' : `${formatDuration(at, now)} ago`

/** Largest whole unit. */
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
