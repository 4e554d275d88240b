/** Client name of calls from the screens: recorded, but not counted as savings. */
export const SCREENS_CLIENT = 'sluice-screens'
