/** Dates, versions and settings behind a model's name: `-20260922`, `@default`, `-v1:0`, `[1m]`, `-latest`. */
const SUFFIX = /(?:\[1m\]|@(?:default|latest|\d{8})|-v\d+:\d+|-latest|-(?:\d{8}|\d{4}-\d{2}-\d{2}))$/

/**
 * Equal for the spellings of one model by gateways and clouds: `claude-opus-5-5[1m]`, `anthropic/claude-opus-5.5`,
 * `us.anthropic.claude-opus-5-5-20260922-v1:0`.
 */
export function modelKey(name: string): string {
  const lower = name.trim().toLowerCase()
  let key = lower
    .slice(lower.lastIndexOf('/') + 1)
    .replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google)\./, '')
  for (let last = ''; last !== key;) {
    last = key
    key = key.replace(SUFFIX, '')
  }
  return key.replace(/(?<=\d)\.(?=\d)/g, '-')
}
