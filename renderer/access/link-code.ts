import { LINK_PATH } from '../../shared/access.ts'

/**
 * The code of the one-time link that opened this page. Imported first: it goes out of the address before the router reads that,
 * and neither a reload nor the history finds it again.
 */
export const linkCode = takeCode()

function takeCode(): string | undefined {
  if (location.pathname !== LINK_PATH) return undefined
  const code = new URLSearchParams(location.search).get('code') ?? ''
  history.replaceState(null, '', `/${location.hash}`)
  return code
}
