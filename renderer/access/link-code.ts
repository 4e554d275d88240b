import { LINK_PATH } from '../../shared/access.ts'

/** Imported first, to remove the code from the address before the router reads it; reload and history don't have it. */
export const linkCode = takeCode()

function takeCode(): string | undefined {
  if (location.pathname !== LINK_PATH) return undefined
  const code = new URLSearchParams(location.search).get('code') ?? ''
  history.replaceState(null, '', `/${location.hash}`)
  return code
}
