import type { Badges } from '../../shared/api/overview.ts'
import type { IconName } from '../design/icon-names.ts'

export interface Section {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  /** Answered by the screen. */
  readonly question: string
  /** Items waiting for the user. */
  badge?(badges: Badges): number
}

export interface SectionGroup {
  readonly label: string
  readonly sections: readonly Section[]
}

export const sectionGroups: readonly SectionGroup[] = [
  {
    label: 'Watch',
    sections: [
      {
        path: '/',
        label: 'Overview',
        icon: 'gauge',
        question: 'How much did it keep out, and is anything wrong?',
      },
      {
        path: '/activity',
        label: 'Activity',
        icon: 'activity',
        question: 'What is happening right now?',
      },
      {
        path: '/results',
        label: 'Results',
        icon: 'columns-3',
        question: 'What exactly did the model not see?',
      },
      {
        path: '/replay',
        label: 'Replay',
        icon: 'rotate-ccw-clock',
        question: 'What would it have saved in your own sessions?',
      },
    ],
  },
  {
    label: 'Shape',
    sections: [
      {
        path: '/servers',
        label: 'Servers',
        icon: 'server',
        question: 'Which servers are alive, and what do they cost?',
        badge: (badges) => badges.failedServers,
      },
      {
        path: '/tools',
        label: 'Tools',
        icon: 'wrench',
        question: 'What do the tools say to the model, and what does that cost?',
      },
      {
        path: '/clients',
        label: 'Clients',
        icon: 'app-window',
        question: 'Which AI apps are protected?',
      },
    ],
  },
  {
    label: 'Guard',
    sections: [
      {
        path: '/approvals',
        label: 'Approvals',
        icon: 'file-check',
        question: 'What changed, and is it safe?',
        badge: (badges) => badges.approvals,
      },
      {
        path: '/quarantine',
        label: 'Quarantine',
        icon: 'shield-alert',
        question: 'What was stopped, and why?',
        badge: (badges) => badges.quarantine,
      },
    ],
  },
  {
    label: 'System',
    sections: [
      {
        path: '/models',
        label: 'Models',
        icon: 'brain',
        question: 'Which model shortens, and can this machine carry it?',
      },
      {
        path: '/settings',
        label: 'Settings',
        icon: 'sliders-horizontal',
        question: 'How should it behave?',
        badge: (badges) => badges.problems,
      },
      { path: '/logs', label: 'Logs', icon: 'scroll-text', question: 'Why did that happen?' },
    ],
  },
]

export const allSections: readonly Section[] = sectionGroups.flatMap((group) => group.sections)
