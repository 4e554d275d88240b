import { ServerId } from '../../shared/settings.ts'
import { SluiceError } from '../engine/ground/errors.ts'

export const whyNoServerId = (id: string): SluiceError =>
  new SluiceError(
    'BAD_INPUT',
    `"${id}" can't be the id of a server. ${ServerId.safeParse(id).error?.issues[0]?.message ?? ''}`,
  )
