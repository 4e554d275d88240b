export interface Later {
  readonly add: (work: () => void | Promise<void>) => void
  /** Does what waits, for the end of the engine. Resolves when all of it is done. */
  readonly flush: () => Promise<void>
}

/**
 * Work that nobody waits for, done together after so many milliseconds: between two small calls of one client it would
 * hold up the second. `work` must not throw or reject.
 */
export function createLater(milliseconds: number): Later {
  let waiting: (() => void | Promise<void>)[] = []
  const underWay = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    const works = waiting
    waiting = []
    for (const work of works) {
      const done = work()
      if (!done) continue
      const ended: Promise<void> = done.finally(() => underWay.delete(ended))
      underWay.add(ended)
    }
    await Promise.all(underWay)
  }
  return {
    add: (work) => {
      if (waiting.push(work) === 1) timer = setTimeout(() => void flush(), milliseconds)
    },
    flush,
  }
}
