import type { ModelTestResult } from '../../engine/models/test-model.ts'

/** The figures of a test for people, or as JSON. */
export function printTest(
  { completion, capacity, longest, status }: ModelTestResult,
  { json, timeLimitMs }: { json: boolean; timeLimitMs: number },
): string {
  const { promptTokensPerSecond, outputTokensPerSecond, charactersPerToken } = capacity
  const measured = status?.measured
  if (json) {
    const figures = {
      text: completion.text,
      promptTokens: completion.promptTokens,
      outputTokens: completion.outputTokens,
      ms: Math.round(completion.ms),
      promptTokensPerSecond,
      outputTokensPerSecond,
      longestPromptTokens: longest,
      memoryBytes: status?.memory,
      device: measured?.device,
      deviceName: measured?.deviceName,
      threads: measured?.threads,
      refused: measured?.refused,
    }
    return `${JSON.stringify(figures, null, 2)}\n`
  }
  const speed = (value: number | undefined): string => (value === undefined ? '?' : value.toFixed(1))
  const characters =
    longest === undefined || charactersPerToken === undefined
      ? ''
      : `, about ${Math.round(longest * charactersPerToken)} characters`
  const lines = [
    `answer:   ${completion.text === '' ? '(nothing but thoughts)' : completion.text}`,
    `time:     ${(completion.ms / 1000).toFixed(1)} s for ${completion.promptTokens ?? '?'} tokens read, ${completion.outputTokens ?? '?'} written`,
    `reading:  ${speed(promptTokensPerSecond)} tokens per second`,
    `writing:  ${speed(outputTokensPerSecond)} tokens per second`,
    ...(longest === undefined
      ? []
      : [`longest:  ${longest} tokens are read and answered within ${timeLimitMs / 1000} s${characters}`]),
    ...(measured
      ? [
          `device:   ${measured.deviceName ?? measured.device}, ${measured.threads} thread${measured.threads === 1 ? '' : 's'}`,
          ...measured.refused.map(({ device, reason }) => `          not ${device}: ${reason}`),
        ]
      : []),
    ...(status?.memory === undefined ? [] : [`memory:   ${Math.round(status.memory / 1e6)} MB`]),
  ]
  return `${lines.join('\n')}\n`
}
