export interface Start {
  readonly platform: NodeJS.Platform
  /** `--hidden` is among the arguments, as in login items of Windows and Linux. */
  readonly isRequested: boolean
  /** macOS gives login items no arguments. */
  readonly wasOpenedAtLogin: boolean
  /** A link in the arguments wants a window. */
  readonly hasLink: boolean
}

/** Started by the session the app opens no window. */
export const startsHidden = ({ platform, isRequested, wasOpenedAtLogin, hasLink }: Start): boolean =>
  !hasLink && (isRequested || (platform === 'darwin' && wasOpenedAtLogin))
