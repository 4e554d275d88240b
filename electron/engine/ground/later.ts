export interface Later {
  readonly add: (work: () => void | Promise<void>) => void
  readonly flush: () => Promise<void>
}

/**
 * Together after this delay, because between two small calls it would delay the second. `work` must not throw or
 * reject.
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
