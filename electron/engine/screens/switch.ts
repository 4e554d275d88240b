import type { Answers } from './http/answers.ts'
import type { ScreensOptions } from './screens-options.ts'

export const createSwitchAnswers = ({ mainSwitch }: ScreensOptions): Answers['switch'] => ({
  get: () => mainSwitch.current,
  set: (change) => mainSwitch.set(change),
})
