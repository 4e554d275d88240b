import { setTimeout as wait } from 'node:timers/promises'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isJsonObject, RpcError, RpcErrorCode, stringIn } from '../../protocol/json-rpc.ts'
import { answerInput, type FulfilInputOptions } from './fulfil-input.ts'

const FIRST_LOOK_MS = 1000
const SOONEST_LOOK_MS = 50
const LATEST_LOOK_MS = 30_000

export interface TaskOptions {
  /** Another request within the call. */
  readonly send: (method: string, params: JsonObject) => Promise<JsonObject>
  /** Without waiting. */
  readonly cancel: (taskId: string) => void
  readonly signal: AbortSignal
}

export const isTask = (result: JsonObject): boolean =>
  result['resultType'] === 'task' && typeof result['taskId'] === 'string'

/**
 * For clients without 2026-07-28 tasks: relays input requests and returns the result. Cancelling the call cancels the
 * task.
 */
export async function fulfilTask(
  begun: JsonObject,
  options: TaskOptions & Pick<FulfilInputOptions, 'ask'>,
): Promise<JsonObject> {
  const { send, cancel, signal } = options
  const taskId = stringIn(begun, 'taskId')
  const answered = new Set<string>()
  try {
    for (let task = begun; ;) {
      const { status, result, error, inputRequests } = task
      if (status === 'completed' && isJsonObject(result)) return result
      if (status === 'failed') throw failure(task, error)
      if (status === 'cancelled')
        throw new RpcError(
          RpcErrorCode.internal,
          statusOf(task, 'The server cancelled the task of this call.'),
        )
      if (status === 'input_required' && isJsonObject(inputRequests)) {
        // A server may list a request again until it has processed the answer.
        const open = Object.entries(inputRequests).filter(([key]) => !answered.has(key))
        for (const [key] of open) answered.add(key)
        const answers = await answerInput(Object.fromEntries(open), options)
        if (open.length > 0) await send('tasks/update', { taskId, inputResponses: answers })
      }
      await wait(lookAfter(task), undefined, { signal })
      task = await send('tasks/get', { taskId })
    }
  } catch (error) {
    if (!signal.aborted) throw error
    cancel(taskId)
    throw signal.reason
  }
}

/** 2025-11-25: tool calls as tasks. */
export function takesTasks(capabilities: JsonObject): boolean {
  const tasks = capabilities['tasks']
  const requests = isJsonObject(tasks) ? tasks['requests'] : undefined
  const tools = isJsonObject(requests) ? requests['tools'] : undefined
  return isJsonObject(tools) && isJsonObject(tools['call'])
}

/**
 * For a task-only tool of a 2025-11-25 server and a client that expects a result. The server sends its requests
 * meanwhile.
 */
export async function callAsTask(params: JsonObject | undefined, options: TaskOptions): Promise<JsonObject> {
  const { send, cancel, signal } = options
  const begun = await send('tools/call', { ...params, task: {} })
  const taskId = isJsonObject(begun['task']) ? stringIn(begun['task'], 'taskId') : ''
  if (taskId === '') return begun
  try {
    return await send('tasks/result', { taskId })
  } catch (error) {
    if (signal.aborted) cancel(taskId)
    throw error
  }
}

function lookAfter({ pollIntervalMs }: JsonObject): number {
  const wanted = typeof pollIntervalMs === 'number' ? pollIntervalMs : FIRST_LOOK_MS
  return Math.min(Math.max(wanted, SOONEST_LOOK_MS), LATEST_LOOK_MS)
}

const statusOf = (task: JsonObject, otherwise: string): string => stringIn(task, 'statusMessage') || otherwise

function failure(task: JsonObject, error: unknown): RpcError {
  const { code, message, data } = isJsonObject(error) ? error : {}
  return new RpcError(
    typeof code === 'number' ? code : RpcErrorCode.internal,
    typeof message === 'string' ? message : statusOf(task, 'The task of this call failed.'),
    data,
  )
}
