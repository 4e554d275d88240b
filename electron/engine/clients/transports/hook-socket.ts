import type { Socket } from 'node:net'
import { readUpTo } from '../../ground/read-up-to.ts'
import { isNear } from '../../work/near.ts'
import type { ParseLarge } from '../../work/large-messages.ts'
import { parseMessage, stringifyMessage } from '../../protocol/exact-message.ts'
import type { HookHello } from '../connector/connector-hello.ts'
import { type AnswerHook, MOST_HOOK_BYTES } from './hook-http.ts'

/** The rest of the connection is the payload; the answer ends it. A payload that can't be read changes nothing. */
export async function serveHook(
  socket: Socket,
  { app, event }: HookHello['hook'],
  {
    answerHook,
    parseLarge,
  }: { readonly answerHook?: AnswerHook | undefined; readonly parseLarge?: ParseLarge | undefined },
): Promise<void> {
  const payload = await readPayload(socket, parseLarge).catch(() => undefined)
  const answer = payload === undefined ? {} : await answerHook?.(app, event, payload)
  socket.end(stringifyMessage(answer ?? {}))
}

async function readPayload(socket: Socket, parseLarge: ParseLarge | undefined): Promise<unknown> {
  const read = await readUpTo(socket, MOST_HOOK_BYTES)
  if (!read) return undefined
  const { chunks, bytes } = read
  return parseLarge && !isNear('parse', bytes)
    ? parseLarge(chunks)
    : parseMessage(Buffer.concat(chunks, bytes).toString())
}
