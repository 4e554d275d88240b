const integer = new Intl.NumberFormat('en-US')

export const formatCount = (value: number): string => integer.format(value)

/** Milliseconds as people read them: 0.4 ms, 12 ms, 3.1 s. */
export const formatMs = (ms: number): string =>
  ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** How much shorter, in whole percent; empty where nothing was shortened. */
export const formatShare = (before: number, after: number): string =>
  before > after && before > 0 ? `−${Math.round((100 * (before - after)) / before)} %` : ''

export const formatTime = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })
