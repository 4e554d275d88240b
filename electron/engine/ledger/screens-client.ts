/** The name under which the screens call tools: such calls are on record, but in no sum of savings. */
export const SCREENS_CLIENT = 'sluice-screens'
