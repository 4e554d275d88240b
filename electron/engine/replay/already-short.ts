/** The header line of compression/header.ts: such a result has the stored original's tokens before the arrow. */
const HEADER = /^\[Compressed: (\d+)→(\d+) tokens/

export function alreadyShort(text: string): { before: number; after: number } | undefined {
  const [, before, after] = HEADER.exec(text.slice(0, 200)) ?? []
  return before === undefined || after === undefined
    ? undefined
    : { before: Number(before), after: Number(after) }
}
