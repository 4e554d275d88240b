import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'

const none = (): never => {
  throw new SluiceError('BAD_INPUT', 'This Sluice runs without its desktop app, which alone can do this.')
}

export const noDesktop: Answers['desktop'] = {
  live: none,
  choose: none,
  repairLaunchers: none,
  installUpdate: none,
  done: none,
}
