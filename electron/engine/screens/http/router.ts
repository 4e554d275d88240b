import { implement, ORPCError, type AnyProcedure } from '@orpc/server'
import type { AnyContractProcedure } from '@orpc/contract'
import { contract } from '../../../../shared/api/contract.ts'
import { SluiceError, type SluiceErrorCode } from '../../ground/errors.ts'
import type { Answers, AnswerOptions } from './answers.ts'

type AnyAnswer = (input: unknown, options: AnswerOptions) => unknown
export type ScreensRouter = Record<string, Record<string, AnyProcedure>>

export function createRouter(answers: Answers): ScreensRouter {
  // Looping over names loses `Answers`' types.
  const all = answers as unknown as Readonly<Record<string, Readonly<Record<string, AnyAnswer>>>>
  const domains: [string, Readonly<Record<string, AnyContractProcedure>>][] = Object.entries(contract)
  return Object.fromEntries(
    domains.map(([domain, procedures]) => [
      domain,
      Object.fromEntries(
        Object.entries(procedures).map(([name, procedure]) => [
          name,
          implementOne(procedure, all[domain]?.[name]),
        ]),
      ),
    ]),
  )
}

function implementOne(procedure: AnyContractProcedure, answer: AnyAnswer | undefined): AnyProcedure {
  if (!answer) throw new Error(`Nothing answers ${procedure['~orpc'].route.path}.`)
  return implement(procedure).handler(async ({ input, signal }) => {
    try {
      const answered = (await answer(input, { signal })) ?? {}
      return isIterator(answered) ? withOwnErrors(answered) : answered
    } catch (error) {
      throw forScreens(error)
    }
  })
}

const isIterator = (value: unknown): value is AsyncIterableIterator<unknown> =>
  typeof value === 'object' && value !== null && 'next' in value && Symbol.asyncIterator in value

function withOwnErrors(stream: AsyncIterableIterator<unknown>): AsyncIterableIterator<unknown> {
  const rethrow = (error: unknown): never => {
    throw forScreens(error)
  }
  return {
    next: () => stream.next().catch(rethrow),
    return: (value) => stream.return?.(value) ?? Promise.resolve({ done: true, value }),
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const STATUS: Partial<Record<SluiceErrorCode, number>> = {
  SERVER_UNKNOWN: 404,
  TOOL_UNKNOWN: 404,
  RESULT_UNKNOWN: 404,
  RESULT_EXPIRED: 410,
  CLIENT_FILE_MISSING: 404,
  SETTINGS_CHANGED: 409,
  SETTINGS_EXISTS: 409,
  CLIENT_FILE_CHANGED: 409,
  SERVER_UNAVAILABLE: 503,
  SERVER_LOST: 502,
  STORE_FAILED: 500,
  DATABASE_DAMAGED: 500,
  DATABASE_LOCKED: 503,
  DATABASE_NEWER: 500,
  WORKER_FAILED: 500,
}

/** Sluice's errors keep code and message; others become internal errors. */
function forScreens(error: unknown): unknown {
  if (!(error instanceof SluiceError)) return error
  return new ORPCError(error.code, {
    status: STATUS[error.code] ?? 400,
    message: error.message,
    data: error.data['problems'] === undefined ? undefined : { problems: error.data['problems'] },
    cause: error,
  })
}
