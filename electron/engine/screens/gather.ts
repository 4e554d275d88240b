/** The first item at once, later ones together. `stop` drops pending ones. */
export function gather<Item>(
  pauseMs: number,
  pass: (items: Item[]) => void,
): { readonly add: (item: Item) => void; readonly stop: () => void } {
  let waiting: Item[] = []
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    if (waiting.length === 0) return
    const items = waiting
    waiting = []
    timer = setTimeout(flush, pauseMs)
    pass(items)
  }
  return {
    add: (item) => {
      waiting.push(item)
      if (timer === undefined) flush()
    },
    stop: () => {
      clearTimeout(timer)
      waiting = []
    },
  }
}
