const WINDOW_MS = 5000

export function createSpeedMeter(clock: () => number) {
  let samples: { at: number; done: number }[] = []
  return {
    add: (done: number): void => {
      const at = clock()
      const last = samples.at(-1)
      // A few per second are enough.
      if (last && at - last.at < 100) samples[samples.length - 1] = { at: last.at, done }
      else samples.push({ at, done })
      samples = samples.filter((sample) => at - sample.at <= WINDOW_MS)
    },
    speed: (): number | undefined => {
      const first = samples[0]
      const last = samples.at(-1)
      if (!first || !last || last.at - first.at < 300) return undefined
      return Math.max(0, ((last.done - first.done) * 1000) / (last.at - first.at))
    },
  }
}
