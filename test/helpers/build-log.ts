/** A build's output with errors at known places: long enough to be shortened. */
export function buildLog(lines = 600): string {
  const said = Array.from({ length: lines }, (_, index) =>
    index === 217
      ? 'src/server/session.ts(88,14): error TS2345: Argument of type "string" is not assignable to parameter of type "number".'
      : `[${index}] compiled src/modules/part-${index}/index.ts in ${(index * 7) % 90} ms, ${(index * 31) % 400} symbols`,
  )
  return [...said, 'Found 1 error in src/server/session.ts:88', 'build finished in 41.2 s'].join('\n')
}
