/** How many random inputs a check tries: that many in the suite, SLUICE_ROUNDS times as many for a long run. */
export const rounds = (few: number): number => few * Number(process.env['SLUICE_ROUNDS'] ?? 1)

const given = process.env['SLUICE_SEED']

/** Fixed in CI (`.ci/run`), so that a change fails for its own faults only. Elsewhere undefined: inputs are random. */
export const SEED = given === undefined ? undefined : Number(given)
