import type { Evaluate } from './inspect-engine.ts'

/** Turns of an engine's main thread since `watchTurns`. */
export interface LongestTurn {
  readonly ms: number
  /** Most processor time of the thread in one turn. */
  readonly cpuMs: number
  /** Total processor time of turns longer than 25 ms. */
  readonly heldMs: number
}

/** A timer that records the longest pause between two turns, and the thread's own work in it. */
const WATCH = `
  clearInterval(globalThis.benchTimer);
  globalThis.benchTurn = { ms: 0, cpuMs: 0, heldMs: 0 };
  { let last = performance.now();
    const spent = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000 };
    let lastSpent = spent();
    globalThis.benchTimer = setInterval(() => {
      const now = performance.now(), own = spent();
      benchTurn.ms = Math.max(benchTurn.ms, now - last);
      benchTurn.cpuMs = Math.max(benchTurn.cpuMs, own - lastSpent);
      if (own - lastSpent > 25) benchTurn.heldMs += own - lastSpent;
      last = now; lastSpent = own;
    }, 1) }
  0`

/** Resets it. */
export const watchTurns = (evaluate: Evaluate): Promise<unknown> => evaluate(WATCH)

export const longestTurn = async (evaluate: Evaluate): Promise<LongestTurn> =>
  JSON.parse(String(await evaluate('JSON.stringify(benchTurn)'))) as LongestTurn
