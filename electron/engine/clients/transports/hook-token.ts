import { createHmac } from 'node:crypto'

/** For one app's hooks only: it is written into that app's configuration, and opens nothing else. */
export const hookTokenOf = (token: string, app: string): string =>
  createHmac('sha256', token).update(`hook/${app}`).digest('base64url')
