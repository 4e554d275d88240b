/** A reason without the name of its kind in front, which says it again in one word. */
export const withoutKind = (reason: string): string => reason.replace(/^[a-z]+(?:-[a-z]+)*: /, '')

/** How sure a detector was, 0 to 1, as people read it; number and sign stay on one line. */
export const formatSure = (score: number): string => `${Math.round(score * 100)}\u00a0% sure`
