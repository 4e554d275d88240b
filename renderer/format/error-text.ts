/** What an error says to a person; the engine's own words where it has any. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/failed to fetch|networkerror|load failed/i.test(message)) return 'The engine does not answer.'
  return message
}
