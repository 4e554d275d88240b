/** A character of a script without blanks says as much as so many letters. */
const DENSE = 3
const FULL_STOP = /[\u3002\uff01\uff1f]/

/** How many letters a character says as much as: more where full stops of such a script end sentences. */
export const densityOf = (text: string): number => (FULL_STOP.test(text) ? DENSE : 1)
