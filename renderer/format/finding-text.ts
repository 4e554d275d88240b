/** A reason without its kind prefix. */
export const withoutKind = (reason: string): string => reason.replace(/^[a-z]+(?:-[a-z]+)*: /, '')

/** A score of 0 to 1 as text; number and sign stay on one line. */
export const formatSure = (score: number): string => `${Math.round(score * 100)}\u00a0% sure`
