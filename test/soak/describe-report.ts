import type { SoakReport } from './run-soak.ts'

/** The human-readable report. */
export function describeReport(report: SoakReport): string {
  const { calls, rests, memoryGrowth } = report
  const [first, last] = [rests[0], rests.at(-1)]
  const table = (counts: Readonly<Record<string, number>>): string[] =>
    Object.entries(counts).map(([what, count]) => `  ${String(count).padStart(6)}  ${what}`)
  return [
    `Seed ${report.seed}, ${report.seconds} s`,
    `Calls made ${calls.made}, answered ${calls.answered}, refused with a reason ${calls.refused}, cut off with their client or engine ${calls.cutOff}, lost ${calls.lost}`,
    'Refused because:',
    ...table(report.reasons),
    ...(report.lostCalls.length === 0 ? [] : ['Lost:', ...report.lostCalls.map((call) => `  ${call}`)]),
    'Done to them:',
    ...table(report.mischief),
    `Memory at rest ${first?.memory} MB, then ${last?.memory} MB (${memoryGrowth === undefined ? 'too short a run to judge' : `${(memoryGrowth * 100).toFixed(1)} %`})`,
    `Objects of its main thread at rest ${rests.map(({ heap }) => heap).join(', ')} MB`,
    `File handles at rest ${rests.map(({ handles }) => handles).join(', ')}; processes ${rests.map(({ processes }) => processes).join(', ')}`,
    `Processes left ${report.processesLeft}; the engine ended with ${report.exitCode}`,
    report.faults.length === 0 ? 'Nothing is wrong.' : `Wrong: ${report.faults.join(' ')}`,
  ].join('\n')
}
