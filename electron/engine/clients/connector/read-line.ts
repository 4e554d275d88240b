import { idFromText, readMessage } from '../../protocol/exact-message.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonRpcMessage,
  type RequestId,
} from '../../protocol/json-rpc.ts'
import { salvageId } from '../../protocol/salvage-id.ts'

export const HEAD = 200

const ANSWER = /^\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.)*"),"result"/

export function answeredId(line: Buffer): RequestId | undefined {
  const id = ANSWER.exec(line.toString('utf8', 0, HEAD))?.[1]
  return id === undefined ? undefined : idFromText(id)
}

export const parse = (line: Buffer): unknown => readMessage(line.toString())

export const whole = (line: Buffer): JsonObject => {
  const value = parse(line)
  return isJsonObject(value) ? value : {}
}

export function outlineOf(line: Buffer): unknown {
  const head = line.subarray(0, 4096)
  const method = /^\s*\{(?:\s*"(?:jsonrpc|id)"\s*:\s*[^,{}]+,)*\s*"method"\s*:\s*"([^"\\]+)"/.exec(
    head.toString(),
  )?.[1]
  const id = salvageId({ head, tail: line.subarray(-4096) })
  if (method === undefined || id === undefined) return parse(line)
  const name = /"params"\s*:\s*\{\s*"name"\s*:\s*"([^"\\]*)"/.exec(head.toString())?.[1]
  return { jsonrpc: '2.0', id, method, ...(name === undefined ? {} : { params: { name } }) }
}

export const isMessage = (value: unknown): value is JsonRpcMessage =>
  isJsonObject(value) && (typeof value['method'] === 'string' || isResultLike(value))

const isResultLike = (value: JsonObject): boolean =>
  isJsonObject(value['result']) || isJsonObject(value['error'])
