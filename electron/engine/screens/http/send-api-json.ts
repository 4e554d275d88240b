import type { ServerResponse } from 'node:http'

/** No caching, no sniffing. */
export const apiHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export function sendApiJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { ...apiHeaders, 'Content-Type': 'application/json' }).end(JSON.stringify(value))
}
