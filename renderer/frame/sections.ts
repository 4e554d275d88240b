import type { IconName } from '../design/icon-names.ts'

export interface Section {
  readonly path: string
  readonly label: string
  readonly icon: IconName
  /** Answered by the screen. */
  readonly question: string
  /** Items waiting for the user. */
  readonly badge?: 'failedServers' | 'approvals' | 'quarantine' | 'problems' | undefined
}

const section = (
  path: string,
  icon: IconName,
  label: string,
  question: string,
  badge?: Section['badge'],
): Section => ({ path, icon, label, question, badge })

export const sectionGroups: readonly { readonly label: string; readonly sections: readonly Section[] }[] = [
  {
    label: 'Watch',
    sections: [
      section('/', 'gauge', 'Overview', 'How much did it keep out, and is anything wrong?'),
      section('/activity', 'activity', 'Activity', 'What is happening right now?'),
      section('/results', 'columns-3', 'Results', 'What exactly did the model not see?'),
      section('/replay', 'rotate-ccw-clock', 'Replay', 'What would it have saved in your own sessions?'),
    ],
  },
  {
    label: 'Shape',
    sections: [
      section(
        '/servers',
        'server',
        'Servers',
        'Which servers are alive, and what do they cost?',
        'failedServers',
      ),
      section('/tools', 'wrench', 'Tools', 'What do the tools say to the model, and what does that cost?'),
      section('/clients', 'app-window', 'Clients', 'Which AI apps are protected?'),
    ],
  },
  {
    label: 'Guard',
    sections: [
      section('/approvals', 'file-check', 'Approvals', 'What changed, and is it safe?', 'approvals'),
      section('/quarantine', 'shield-alert', 'Quarantine', 'What was stopped, and why?', 'quarantine'),
    ],
  },
  {
    label: 'System',
    sections: [
      section('/models', 'brain', 'Models', 'Which model shortens, and can this machine carry it?'),
      section('/settings', 'sliders-horizontal', 'Settings', 'How should it behave?', 'problems'),
      section('/logs', 'scroll-text', 'Logs', 'Why did that happen?'),
    ],
  },
]

export const allSections: readonly Section[] = sectionGroups.flatMap((group) => group.sections)
