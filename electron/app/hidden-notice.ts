import type { Notice } from './notice-queue.ts'

/** Where the app is once its window is closed: said once, or at each start where no tray shows it. */
export function hiddenNotice({
  hasTray,
  wasNotified,
  platform,
}: {
  readonly hasTray: boolean
  readonly wasNotified: boolean
  readonly platform: NodeJS.Platform
}): Notice | undefined {
  if (hasTray && wasNotified) return undefined
  const place = platform === 'darwin' ? 'menu bar' : 'tray'
  return {
    kind: 'failures',
    about: 'the closed window',
    title: 'Sluice goes on without its window',
    body: hasTray
      ? `Your AI apps need it. It is in the ${place}: open it there, or quit it.`
      : 'Your AI apps need it. This desktop shows no tray icons: start Sluice again to open its window; File → Quit ends it.',
    target: { route: '/' },
  }
}
