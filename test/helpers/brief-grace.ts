import { Grace } from '../../electron/engine/clients/session/grace.ts'
import { GIVE_UP_MS } from './give-up.ts'

/** Of lists that go on without a server that hangs, soon after so many others have arrived or failed, however late. */
export function briefGrace(others = 1): Grace {
  const grace = new Grace(GIVE_UP_MS, 300)
  const arrived = grace.arrived.bind(grace)
  let count = 0
  grace.arrived = () => {
    if (++count >= others) arrived()
  }
  return grace
}
