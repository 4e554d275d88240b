import { RpcError, RpcErrorCode } from './json-rpc.ts'

/** For V8's recursion. */
export const isTooDeep = (error: unknown): boolean =>
  error instanceof RangeError
    ? error.message === 'Maximum call stack size exceeded'
    : error instanceof Error && error.cause !== undefined && isTooDeep(error.cause)

/** Iterative. */
function depthOf(value: unknown): number {
  let depth = 0
  for (let level = containersIn([value]); level.length > 0; depth++)
    level = containersIn(level.flatMap((each) => Object.values(each)))
  return depth
}

const containersIn = (values: readonly unknown[]): object[] =>
  values.filter((value): value is object => typeof value === 'object' && value !== null)

export const tooDeepWords = (subject: string, value: unknown, advice: string): string =>
  `${subject} ${depthOf(value)} levels deep, which is more than Sluice can pass on. ${advice}`

export function unwrittenAnswer(of: string, answer: object): RpcError {
  const subject = 'result' in answer ? 'The result' : 'The error'
  const value = 'result' in answer ? answer.result : 'error' in answer ? answer.error : undefined
  const advice = 'The request was carried out. Ask for a part of it, or for a flatter form.'
  return new RpcError(RpcErrorCode.internal, tooDeepWords(`${subject} of ${of} is nested`, value, advice))
}

/** Shallower values fit on every stack. */
const SURELY_WRITTEN = 1000
/** A transport has less stack left than here. */
const MARGIN = 100

/** For transports that hide JSON.stringify's error. */
export function checkDepth(value: unknown): void {
  if (!isDeeperThan(value, SURELY_WRITTEN)) return
  let inside = value
  for (let level = 0; level < MARGIN; level++) inside = [inside]
  JSON.stringify(inside)
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  // `for … in` would make a text of each index; most values are empty and need no call.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index]
      if (typeof item === 'object' && item !== null && isDeeperThan(item, levels - 1)) return true
    }
    return false
  }
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key]
    if (typeof item === 'object' && item !== null && isDeeperThan(item, levels - 1)) return true
  }
  return false
}
