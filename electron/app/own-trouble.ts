import type { Notice } from './notice-queue.ts'

export const windowCrashed = (again: boolean): Notice => ({
  kind: 'failures',
  about: 'the window',
  title: 'Sluice’s window crashed',
  body: again
    ? 'It was opened again. The engine went on.'
    : 'The engine went on; open the window from the tray.',
  target: { route: '/logs' },
})

export const portIsTaken = (why: string): Notice => ({
  kind: 'failures',
  about: 'the HTTP port',
  title: 'Clients that use HTTP can’t reach Sluice',
  body: why,
  target: { route: '/settings' },
})

export const launchersAreLost = (files: number): Notice => ({
  kind: 'failures',
  about: 'AI apps',
  title:
    files === 1 ? 'An AI app starts a Sluice that is gone' : `${files} AI apps start a Sluice that is gone`,
  body: 'Sluice was moved or updated. Look at it, and let them start this one.',
  target: { route: '/clients' },
})
