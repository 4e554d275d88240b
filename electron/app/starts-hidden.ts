export interface Start {
  readonly platform: NodeJS.Platform
  /** `--hidden` is among the arguments, as in login items of Windows and Linux. */
  readonly isToldTo: boolean
  /** macOS gives login items no arguments. */
  readonly wasOpenedAtLogin: boolean
  /** A link in the arguments wants a window. */
  readonly hasLink: boolean
}

/** Started by the session the app opens no window. */
export const startsHidden = ({ platform, isToldTo, wasOpenedAtLogin, hasLink }: Start): boolean =>
  !hasLink && (isToldTo || (platform === 'darwin' && wasOpenedAtLogin))
