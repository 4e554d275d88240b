import type { Finding } from './detector.ts'
import type { PlacedText } from './texts-in.ts'

/** On this thread; loaded on first use, so that listing sessions never wait. */
export interface BuiltInScan {
  scan(texts: readonly PlacedText[]): Finding[] | Promise<Finding[]>
  /** Throws unless loaded. */
  scanNow(texts: readonly PlacedText[]): Finding[]
  whenLoaded(then: () => void): void
}

export function createBuiltInScan(): BuiltInScan {
  let loaded: ((texts: readonly PlacedText[]) => Finding[]) | undefined
  let loading: Promise<void> | undefined
  let waiting = 0
  const load = (): Promise<void> => (loading ??= loadOnce())
  const loadOnce = async (): Promise<void> => {
    const [{ createBuiltInDetectors, createTextScan, scanTexts }, { readGuardModels }] = await Promise.all([
      import('./scan-text.ts'),
      import('./guard-models.ts'),
    ])
    const scan = createTextScan(createBuiltInDetectors(readGuardModels()))
    loaded = (texts) => scanTexts(scan, texts)
  }
  const waitFor = async (then: () => void): Promise<void> => {
    waiting++
    await load().catch(() => {})
    waiting--
    then()
  }
  const scanNow: BuiltInScan['scanNow'] = (texts) => {
    if (!loaded) throw new Error('The built-in detectors could not be loaded.')
    return loaded(texts)
  }
  return {
    scan: (texts) => (loaded ? loaded(texts) : load().then(() => scanNow(texts))),
    scanNow,
    whenLoaded: (then) => {
      if (loaded && waiting === 0) return then()
      void waitFor(then)
    },
  }
}
