const protocolVersion = '2025-06-18'

/** 2025-06-18 over HTTP, for hand-written requests. */
export const initializeBody = (name: string, id: number = 0) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name, version: '1' } },
})

export const initializeRequest = (name: string, headers: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  headers: {
    ...headers,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
  body: JSON.stringify(initializeBody(name)),
})
