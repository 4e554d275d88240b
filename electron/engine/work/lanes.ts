/** Tens of milliseconds; a small job may wait for it. */
export const SMALL_JOB = 200_000
/** Larger ones take up to minutes. */
export const MEDIUM_JOB = 2_000_000
/** Takes no other jobs. */
export const APART = -1

/** Per thread, ascending. */
export const lanesOf = (threads: number): readonly number[] =>
  Array.from({ length: threads }, (_, thread) => {
    if (thread === 0 && threads > 1) return SMALL_JOB
    return thread === 1 && threads > 2 ? MEDIUM_JOB : Infinity
  })

/**
 * In MB, by a thread's largest job. Texts leave many short-lived objects: with 64, three of 50 MB took 10.0 s of
 * processor time and 1,295 MB, by default 10.8 s and 1,449 MB. A thread keeps its room: small jobs need 8; with less
 * than 24 medium ones leave more behind.
 */
export const youngGenerationOf = (largest: number): number =>
  largest > MEDIUM_JOB ? 64 : largest > SMALL_JOB ? 24 : 8

export interface Seat {
  readonly lane: number
  readonly isIdle: boolean
  readonly lastAffinity: string | undefined
  readonly prepared: ReadonlySet<string>
  readonly preparing: string | undefined
}

export interface SeatedJob {
  readonly name: string
  /** First lane that takes it. */
  readonly lane: number
  readonly affinity: string | undefined
  /** Other work on the same text takes its own thread. */
  readonly beside?: boolean | undefined
}

type Place<Thread> =
  | { readonly on: Thread }
  | { readonly start: number }
  | { readonly prepare: Thread | number }
  | { readonly wait: true }

/**
 * Small jobs have their own thread. A job `beside` takes the next larger one, or the next smaller than the largest, for
 * which it must be short; its own if that is busy. Loading modules takes several times longer than the job before, so a job whose
 * thread is merely busy isn't given to an unprepared one.
 */
export function placeFor<Thread extends Seat>(
  { name, lane, affinity, beside = false }: SeatedJob,
  all: readonly Thread[],
  /** `parallel`: threads that may start although the job could wait for another of its lane. */
  { lanes, parallel }: { readonly lanes: readonly number[]; readonly parallel: number },
): Place<Thread> {
  const threads = all.toSorted((one, other) => one.lane - other.lane)
  const isStarted = (wanted: number): boolean => threads.some((thread) => thread.lane === wanted)
  const takes = (thread: Thread): boolean => (lane === APART ? thread.lane === APART : thread.lane >= lane)
  const next = lane + 1 < lanes.length ? lane + 1 : lane - 1
  // Of a small text the work is over before a thread has started.
  if (beside && lane > 0 && next > 0) {
    if (!isStarted(next)) return { start: next }
    const other = threads.find((thread) => thread.lane === next && thread.isIdle)
    if (other) return { on: other }
  }
  const idle = threads.filter((thread) => thread.isIdle && takes(thread))
  const own =
    idle.find(({ lastAffinity }) => affinity !== undefined && lastAffinity === affinity) ??
    idle.find((thread) => thread.lane === lane)
  if (own) return { on: own }
  const isFirst = !isStarted(lane)
  if (isFirst && (lane <= 0 || idle.length === 0)) return { start: lane }
  const other = idle.find(({ prepared }) => isFirst || prepared.has(name))
  if (other) return { on: other }
  if (lane === APART || threads.some(({ preparing }) => preparing === name)) return { wait: true }
  if (idle[0]) return { prepare: idle[0] }
  const started = threads.filter((thread) => thread.lane !== APART).length
  const further = started < parallel ? lanes.findIndex((_, at) => at > lane && !isStarted(at)) : -1
  return further < 0 ? { wait: true } : { prepare: further }
}
