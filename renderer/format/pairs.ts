export const writePairs = (record: Readonly<Record<string, string>> | undefined): string =>
  Object.entries(record ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

export function readPairs(text: string): Record<string, string> | undefined {
  const entries = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const at = line.indexOf('=')
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1)]
    })
  return entries.length > 0 ? Object.fromEntries(entries) : undefined
}
