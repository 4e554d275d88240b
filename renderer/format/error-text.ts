import { isRecord } from '../../shared/is-record.ts'

/** No access, or no longer. */
export const isUnknownPage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ACCESS_NEEDED'

/** In the engine's words if available. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  if (/failed to fetch|networkerror|load failed/i.test(message)) return 'The engine does not answer.'
  if (isUnknownPage(error))
    return 'This browser has no access to Sluice any more. Reload the page: it says how to get it.'
  const issues = issuesOf(error)
  return issues.length === 0 ? message : issues.join(' ')
}

/** Rejected input field by field. Without zod, because few screens need it. */
function issuesOf(error: unknown): string[] {
  const data: unknown = error instanceof Error && 'data' in error ? error.data : undefined
  const issues: unknown = isRecord(data) ? data['issues'] : undefined
  if (!Array.isArray(issues)) return []
  return issues.flatMap((issue: unknown) => {
    if (!isRecord(issue) || typeof issue['message'] !== 'string') return []
    const path = Array.isArray(issue['path']) ? issue['path'].map(String).join('.') : ''
    return [path === '' ? issue['message'] : `${path}: ${issue['message']}`]
  })
}
