import { offer } from './control.ts'
import { strict, StrictEmitter } from './strict.ts'

type AskHandler = (contents: unknown, permission: string, answer: (granted: boolean) => void) => void
type CheckHandler = (contents: unknown, permission: string, origin: string) => boolean
type DeviceHandler = (details: { deviceType: string }) => boolean

/** Electron's default when the app sets nothing: grant. */
export class Session extends StrictEmitter {
  #ask: AskHandler = (_contents, _permission, answer) => answer(true)
  #check: CheckHandler = () => true
  #device: DeviceHandler = () => true

  constructor() {
    super('session')
    offer('permission', (permission: string) => {
      const answers: boolean[] = []
      this.#ask(null, permission, (granted) => answers.push(granted))
      return {
        asked: answers,
        checked: this.#check(null, permission, ''),
        device: this.#device({ deviceType: 'usb' }),
      }
    })
  }

  setPermissionRequestHandler(handler: AskHandler): void {
    this.#ask = handler
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler
  }

  setDevicePermissionHandler(handler: DeviceHandler): void {
    this.#device = handler
  }
}

const defaultSession: Session = new Session()

export const session: { readonly defaultSession: Session } = strict('session', { defaultSession })
