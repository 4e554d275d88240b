/** How many random inputs a check tries: that many in the suite, SLUICE_ROUNDS times as many for a long run. */
export const rounds = (few: number): number => few * Number(process.env['SLUICE_ROUNDS'] ?? 1)
