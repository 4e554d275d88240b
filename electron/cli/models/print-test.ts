import type { ModelTestResult } from '../../engine/models/test-model.ts'

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
      longestPromptTokens: longest?.tokens,
      assumedWindow: longest?.assumedWindow,
      memoryBytes: status?.memory,
      device: measured?.device,
      deviceName: measured?.deviceName,
      threads: measured?.threads,
      refused: measured?.refused,
    }
    return `${JSON.stringify(figures, null, 2)}\n`
  }
  const speed = (value: number | undefined): string =>
    value === undefined ? 'not measured' : `${value.toFixed(1)} tokens per second`
  const characters =
    longest === undefined || charactersPerToken === undefined
      ? ''
      : `, about ${Math.round(longest.tokens * charactersPerToken)} characters`
  const { assumedWindow } = longest ?? {}
  const assumed =
    assumedWindow === undefined
      ? ''
      : ` (a window of ${assumedWindow} tokens is assumed: model.endpoint.contextTokens says another)`
  const { promptTokens, outputTokens } = completion
  const counted =
    promptTokens === undefined || outputTokens === undefined
      ? '; the server does not say how many tokens that were'
      : ` for ${promptTokens} tokens read, ${outputTokens} written`
  const lines = [
    `answer:   ${completion.text === '' ? '(nothing but thoughts)' : completion.text}`,
    `time:     ${(completion.ms / 1000).toFixed(1)} s${counted}`,
    `reading:  ${speed(promptTokensPerSecond)}`,
    `writing:  ${speed(outputTokensPerSecond)}`,
    ...(longest === undefined
      ? []
      : [
          `longest:  ${longest.tokens} tokens are read and answered within ${timeLimitMs / 1000} s${characters}${assumed}`,
        ]),
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
