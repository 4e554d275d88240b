import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'

/** Not secret: hides a server's words from the model. Constant, because another engine may serve the next page. */
const KEY = createHash('sha256').update('sluice: cursor of a page').digest()
const CIPHER = 'aes-256-ctr'
const START_BYTES = 16
const LONGEST = 50_000

/** Depends on all sealed content, so that the sealed form can't be chosen. */
const startOf = (serverId: string, cursor: string): Buffer =>
  createHmac('sha256', KEY)
    .update(JSON.stringify([serverId, cursor]))
    .digest()
    .subarray(0, START_BYTES)

export function sealCursor(serverId: string, cursor: string): string {
  if (cursor.length > LONGEST)
    throw new RpcError(
      RpcErrorCode.internal,
      `Server "${serverId}" gave a cursor of ${cursor.length} characters for the next page; at most ${LONGEST} are passed on.`,
    )
  const start = startOf(serverId, cursor)
  const cipher = createCipheriv(CIPHER, KEY, start)
  return Buffer.concat([start, cipher.update(cursor, 'utf8'), cipher.final()]).toString('base64url')
}

/** Throws -32602 unless sealed for this server. */
export function openCursor(serverId: string, sealed: unknown): string {
  if (typeof sealed === 'string') {
    const bytes = Buffer.from(sealed, 'base64url')
    const start = bytes.subarray(0, START_BYTES)
    if (start.length === START_BYTES) {
      const cipher = createDecipheriv(CIPHER, KEY, start)
      const cursor = Buffer.concat([cipher.update(bytes.subarray(START_BYTES)), cipher.final()]).toString(
        'utf8',
      )
      if (startOf(serverId, cursor).equals(start)) return cursor
    }
  }
  throw new RpcError(
    RpcErrorCode.invalidParams,
    'Invalid params: "cursor" is not the "nextCursor" of an earlier page. Ask for the list again without a cursor.',
  )
}
