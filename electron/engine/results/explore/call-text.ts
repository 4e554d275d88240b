import type { ExploredPart } from './explored-text.ts'

/** Without an id. */
export interface Reference {
  readonly tool?: string | undefined
  readonly arguments?: Readonly<Record<string, unknown>> | undefined
}

export const nameOf = ({ id }: ExploredPart): string => id ?? 'the fresh result'

/** Unstored results are fetched again. */
export const referenceTo = ({ id }: ExploredPart, args: Reference): Record<string, unknown> =>
  id === undefined ? { tool: args.tool, arguments: args.arguments } : { id }

const LONGEST_CALL = 400

export function goOn(
  name: string,
  part: ExploredPart,
  args: Reference & Readonly<Record<string, unknown>>,
  next: Readonly<Record<string, unknown>>,
): string {
  const { tool: _tool, arguments: _arguments, id: _id, ...rest } = args
  const call = callText(name, { ...referenceTo(part, args), ...rest, ...next })
  if (call.length <= LONGEST_CALL) return `Go on: ${call}`
  return `Go on: the same call with ${JSON.stringify(part.id === undefined ? next : { id: part.id, ...next })}`
}

export const callText = (name: string, args: Readonly<Record<string, unknown>>): string =>
  `${name} ${JSON.stringify(args)}`
