export interface FollowOptions<Event> {
  /** Returns the stop. */
  subscribe(listener: (event: Event) => void): () => void
  readonly signal: AbortSignal | undefined
  /** Requested after subscribing, so that none is missed. */
  readonly first?: () => readonly Event[] | Promise<readonly Event[]>
  /** For a slow reader; drops older events, because screens show the latest. */
  readonly backlog?: number
}

export async function* follow<Event>(options: FollowOptions<Event>): AsyncGenerator<Event, void, void> {
  const { signal, backlog = 500 } = options
  const waiting: Event[] = []
  let wake = (): void => {}
  const stop = options.subscribe((event) => {
    waiting.push(event)
    if (waiting.length > backlog) waiting.shift()
    wake()
  })
  const onAbort = (): void => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    if (options.first) yield* await options.first()
    for (const ended = (): boolean => signal?.aborted === true; !ended();) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else {
        await new Promise<void>((resolve) => {
          wake = resolve
          if (ended()) resolve()
        })
      }
    }
  } finally {
    stop()
    signal?.removeEventListener('abort', onAbort)
  }
}

const TELL_EVERY_MS = 250

/** The state now, and after changes, at most four times a second. */
export async function* followState<State>(
  state: () => State | Promise<State>,
  signal: AbortSignal | undefined,
  subscribe: (changed: () => void) => () => void,
): AsyncGenerator<State, void, void> {
  const changes = follow<true>({
    signal,
    first: () => [true],
    backlog: 1,
    subscribe: (listener) => subscribe(() => listener(true)),
  })
  for await (const _ of changes) {
    yield await state()
    await new Promise((resolve) => setTimeout(resolve, TELL_EVERY_MS).unref())
  }
}
