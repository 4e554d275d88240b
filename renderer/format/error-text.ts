/** The engine refuses this page's session. */
export const isUnknownPage = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Unauthorized'

/** What an error says to a person; the engine's own words where it has any. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/failed to fetch|networkerror|load failed/i.test(message)) return 'The engine does not answer.'
  if (isUnknownPage(error))
    return 'Sluice was started anew and does not know this page any more: run "sluice open" and open the link it prints.'
  return message
}
