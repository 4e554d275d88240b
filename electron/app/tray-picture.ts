/** Windows remembers by it where its user put the icon, macOS too; it must never change. */
const GUID = '7d0f6f0e-3c53-4a0e-9a6e-5a1c1f0d5a11'

export const trayGuid = (platform: NodeJS.Platform): string | undefined =>
  platform === 'win32' || platform === 'darwin' ? GUID : undefined

/**
 * macOS colours template images and finds the @2x file; Windows picks a size from the .ico. On Linux panels scale one
 * picture, so it has the pixels of the densest screen.
 */
export function trayPicture(
  platform: NodeJS.Platform,
  state: string,
  scaleFactors: readonly number[],
): string {
  if (platform === 'darwin') return `${state}Template.png`
  if (platform === 'win32') return `${state}.ico`
  const densest = Math.max(1, ...scaleFactors)
  return `${state}-${densest > 1.5 ? 48 : densest > 1 ? 32 : 22}.png`
}
