import { z } from 'zod'

/** The engine refuses this page's session. */
export const isUnknownPage = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Unauthorized'

/** What an error says to a person; the engine's own words where it has any. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/failed to fetch|networkerror|load failed/i.test(message)) return 'The engine does not answer.'
  if (isUnknownPage(error))
    return 'Sluice was started anew and does not know this page any more: run "sluice open" and open the link it prints.'
  const issues = issuesOf(error)
  return issues.length === 0 ? message : issues.join(' ')
}

/** What the engine found wrong with what was sent, field by field. */
function issuesOf(error: unknown): string[] {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  const read = refusal().safeParse(data)
  return (read.data?.issues ?? []).map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  )
}

/** Made when it is needed: as this module is loaded, zod has not been told yet that it may compile no code. */
const refusal = () =>
  z.object({
    issues: z.array(
      z.object({ path: z.array(z.union([z.string(), z.number()])).default([]), message: z.string() }),
    ),
  })
