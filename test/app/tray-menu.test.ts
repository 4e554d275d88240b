import { attentionRoute } from '../../shared/attention-route.ts'
import { describe, expect, it } from 'vitest'
import {
  trayMenu,
  trayState,
  trayTip,
  type TrayActions,
  type TrayFacts,
} from '../../electron/app/tray-menu.ts'

const calm: TrayFacts = {
  power: { on: true, compressing: true },
  savedToday: 12_345,
  attention: [],
  servers: [],
  profiles: [],
  profile: undefined,
  startAtLogin: false,
  canStartAtLogin: true,
}
const waiting = (server: string) => ({
  kind: 'approvals-waiting' as const,
  urgency: 'act' as const,
  title: '2 changes wait for you',
  detail: '',
  server,
})
const did: string[] = []
const actions: TrayActions = {
  switchOn: (on) => did.push(`switch ${on}`),
  pauseCompression: (minutes) => did.push(`pause ${minutes}`),
  useProfile: (name) => did.push(`profile ${name}`),
  open: (route) => did.push(`open ${route}`),
  review: (server) => did.push(`review ${server}`),
  startAtLogin: (on) => did.push(`login ${on}`),
  quit: () => did.push('quit'),
}
const labels = (facts: TrayFacts) => trayMenu(facts, actions).map(({ label }) => label)
const click = (facts: TrayFacts, start: string): string | undefined => {
  did.length = 0
  trayMenu(facts, actions)
    .flatMap((item) => [item, ...(item.submenu ?? [])])
    .find(({ label }) => label?.startsWith(start))
    ?.click?.()
  return did[0]
}

describe('the tray', () => {
  it('switches the profile, where there are some', () => {
    expect(labels(calm).join()).not.toContain('Profile')
    const facts = { ...calm, profiles: ['work', 'home'], profile: 'work' }
    expect(labels(facts)).toContain('Profile: work')
    const [item] = trayMenu(facts, actions).filter(({ label }) => label?.startsWith('Profile'))
    expect(item?.submenu?.map(({ label, checked }) => [label, checked])).toEqual([
      ['All servers', false],
      ['work', true],
      ['home', false],
    ])
    expect(click(facts, 'home')).toBe('profile home')
    expect(click(facts, 'All servers')).toBe('profile undefined')
  })

  it.each([
    [calm, 'on', 'Sluice · 12,345 tokens kept out of context today'],
    [{ ...calm, power: { on: false, compressing: false } }, 'off', 'Sluice is off'],
    [
      { ...calm, attention: [waiting('a')] },
      'attention',
      'Sluice · 12,345 tokens kept out of context today · 1 thing needs you',
    ],
    [
      { ...calm, attention: [{ ...waiting('a'), urgency: 'look' as const }] },
      'on',
      'Sluice · 12,345 tokens kept out of context today',
    ],
    [{ ...calm, savedToday: -7 }, 'on', 'Sluice · 7 tokens more than without Sluice today'],
  ])('shows its state', (facts, state, tip) => {
    expect(trayState(facts)).toBe(state)
    expect(trayTip(facts)).toBe(tip)
  })

  it('does what its items say', () => {
    expect(click(calm, 'Sluice is on')).toBe('switch false')
    expect(click(calm, 'Pause compression')).toBe('pause 60')
    const paused = { ...calm, power: { on: true, compressing: false, compressionPausedUntil: 0 } }
    expect(click(paused, 'Resume compression')).toBe('pause undefined')
    expect(click(calm, 'No servers yet')).toBe('open /servers')
    expect(
      click({ ...calm, servers: [{ id: 'a b', state: 'ready', open: 2 }] }, 'a b: running, 2 times'),
    ).toBe('open /servers/a%20b')
    expect(click({ ...calm, attention: [waiting('notes')] }, 'notes: 2 changes')).toBe('review notes')
    expect(click(calm, 'Start at login')).toBe('login true')
    expect(click(calm, 'Quit')).toBe('quit')
  })

  it('names six things at most, and says how many more there are', () => {
    const many = Array.from({ length: 9 }, (_, index) => waiting(`s${index}`))
    expect(labels({ ...calm, attention: many }).filter((label) => label?.includes('changes'))).toHaveLength(6)
    expect(labels({ ...calm, attention: many })).toContain('3 more…')
  })

  it('knows the screen of everything that needs a person', () => {
    expect(attentionRoute({ ...waiting('x/y'), kind: 'server-failed' })).toBe('/servers/x%2Fy')
    expect(attentionRoute({ ...waiting('x'), kind: 'settings-problem' })).toBe('/settings?view=text')
    expect(attentionRoute({ ...waiting('x'), kind: 'quarantine' })).toBe('/quarantine')
  })
})
