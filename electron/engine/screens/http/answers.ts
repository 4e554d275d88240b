import type { ContractProcedure, InferSchemaInput, InferSchemaOutput } from '@orpc/contract'
import type { contract } from '../../../../shared/api/contract.ts'

export interface AnswerOptions {
  /** On disconnect. */
  readonly signal: AbortSignal | undefined
}

/** Where nothing is answered, nothing has to be returned. */
type Returned<Output> = Output | (Output extends Record<string, never> ? void : never)

type Answer<Procedure> =
  Procedure extends ContractProcedure<infer Input, infer Output, infer _Errors, infer _Meta>
    ? (
        input: InferSchemaOutput<Input>,
        options: AnswerOptions,
      ) => Returned<InferSchemaInput<Output>> | Promise<Returned<InferSchemaInput<Output>>>
    : never

type Contract = typeof contract

export type Answers = {
  readonly [Domain in keyof Contract]: {
    readonly [Name in keyof Contract[Domain]]: Answer<Contract[Domain][Name]>
  }
}
