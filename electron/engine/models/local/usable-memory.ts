/** macOS counts file caches as used, but frees them on demand. */
export const usableMemory = ({
  platform,
  total,
  available,
}: {
  platform: NodeJS.Platform
  total: number
  available: number
}): number => (platform === 'darwin' ? Math.max(available, total * 0.4) : available)
