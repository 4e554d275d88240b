import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract'
import type { contract } from '../../../../shared/api/contract.ts'

export interface AnswerOptions {
  /** Aborts when the one who asked has left. */
  readonly signal: AbortSignal | undefined
}

/** What answers one procedure: its checked input in, its output out. A stream is an async iterator. */
type Answer<Procedure> =
  Procedure extends ContractProcedure<infer Input, infer Output, infer _Errors, infer _Meta>
    ? (
        input: InferSchemaOutput<Input>,
        options: AnswerOptions,
      ) => InferSchemaInput<Output> | Promise<InferSchemaInput<Output>>
    : never

type Contract = typeof contract

/** One function for each procedure of the contract, under the same names. */
export type Answers = {
  readonly [Domain in keyof Contract]: {
    readonly [Name in keyof Contract[Domain]]: Answer<Contract[Domain][Name]>
  }
}
