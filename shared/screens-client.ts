/** Recorded, but not counted as savings. */
export const SCREENS_CLIENT = 'sluice-screens'
