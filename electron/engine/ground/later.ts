export interface Later {
  readonly add: (work: () => void) => void
  /** Does what waits, for the end of the engine. */
  readonly flush: () => void
}

/**
 * Work that nobody waits for, done together after so many milliseconds: between two small calls of one client it would
 * hold up the second. `work` must not throw.
 */
export function createLater(milliseconds: number): Later {
  let waiting: (() => void)[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(timer)
    const works = waiting
    waiting = []
    for (const work of works) work()
  }
  return {
    add: (work) => {
      if (waiting.push(work) === 1) timer = setTimeout(flush, milliseconds)
    },
    flush,
  }
}
