/** Of a new reading. */
const NEW_SHARE = 0.3

/** The first reading counts fully. */
export const blend = (known: number | undefined, seen: number): number =>
  known === undefined ? seen : known * (1 - NEW_SHARE) + seen * NEW_SHARE
