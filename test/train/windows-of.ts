import { forEachHalfWindow } from '../../electron/engine/guardrails/hashed-windows.ts'

/** Distinct buckets of every window; two neighbouring half windows make one window. */
export function windowsOf(text: string): Uint16Array[] {
  const halves: Uint16Array[] = []
  forEachHalfWindow(text, (buckets, count) => halves.push(buckets.slice(0, count)))
  const windows: Uint16Array[] = []
  for (let i = 0; i < Math.max(1, halves.length - 1); i++)
    windows.push(Uint16Array.from(new Set([...(halves[i] ?? []), ...(halves[i + 1] ?? [])])))
  return windows.filter((window) => window.length > 0)
}
