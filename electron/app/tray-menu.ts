import type { Attention } from '../../shared/api/overview.ts'
import { attentionRoute } from '../../shared/attention-route.ts'
import type { SwitchState } from '../../shared/api/switch.ts'

export interface TrayFacts {
  readonly power: SwitchState
  /** Net, since midnight. */
  readonly savedToday: number
  readonly attention: readonly Attention[]
  readonly servers: readonly { readonly id: string; readonly state: string; readonly open: number }[]
  /** Names, and the one in use. */
  readonly profiles: readonly string[]
  readonly profile: string | undefined
  readonly startAtLogin: boolean
  readonly canStartAtLogin: boolean
}

export interface TrayActions {
  switchOn(on: boolean): void
  /** Undefined ends the pause. */
  pauseCompression(minutes: number | undefined): void
  /** Undefined: all servers. */
  useProfile(name: string | undefined): void
  open(route: string): void
  review(server: string): void
  startAtLogin(on: boolean): void
  quit(): void
}

export interface TrayItem {
  readonly label?: string
  readonly type?: 'normal' | 'separator' | 'checkbox' | 'radio' | 'submenu'
  readonly checked?: boolean
  readonly enabled?: boolean
  readonly click?: () => void
  readonly submenu?: TrayItem[]
}

export type TrayState = 'on' | 'off' | 'attention'

export function trayState({ power, attention }: TrayFacts): TrayState {
  if (!power.on) return 'off'
  return attention.some(({ urgency }) => urgency === 'act') ? 'attention' : 'on'
}

const separator: TrayItem = { type: 'separator' }

export const endingMenu: readonly TrayItem[] = [{ label: 'Ending servers…', enabled: false }]

/** Before the engine answers. */
export const startingMenu = ({ open, quit }: Pick<TrayActions, 'open' | 'quit'>): readonly TrayItem[] => [
  { label: 'Sluice is starting…', enabled: false },
  separator,
  { label: 'Open Sluice', click: () => open('/') },
  { label: 'Quit Sluice', click: () => quit() },
]

const MOST_ATTENTION = 6
const LONGEST_LABEL = 70

export function trayMenu(facts: TrayFacts, actions: TrayActions): TrayItem[] {
  const { power } = facts
  return [
    {
      label: power.offUntil === undefined ? 'Sluice is on' : `Sluice is off until ${clock(power.offUntil)}`,
      type: 'checkbox',
      checked: power.on,
      click: () => actions.switchOn(!power.on),
    },
    power.compressing || !power.on
      ? {
          label: 'Pause compression for an hour',
          enabled: power.on,
          click: () => actions.pauseCompression(60),
        }
      : {
          label:
            power.compressionPausedUntil === undefined
              ? 'Resume compression'
              : `Resume compression (paused until ${clock(power.compressionPausedUntil)})`,
          click: () => actions.pauseCompression(undefined),
        },
    separator,
    { label: savedLine(facts.savedToday), click: () => actions.open('/') },
    ...attentionItems(facts.attention, actions),
    serversItem(facts, actions),
    ...profileItems(facts, actions),
    separator,
    { label: 'Open Sluice', click: () => actions.open('/') },
    {
      label: 'Start at login',
      type: 'checkbox',
      checked: facts.startAtLogin,
      enabled: facts.canStartAtLogin,
      click: () => actions.startAtLogin(!facts.startAtLogin),
    },
    { label: 'Quit Sluice', click: () => actions.quit() },
  ]
}

export function trayTip(facts: TrayFacts): string {
  if (!facts.power.on) return 'Sluice is off'
  const waiting = facts.attention.filter(({ urgency }) => urgency === 'act').length
  const needs = waiting === 0 ? '' : ` · ${waiting} ${waiting === 1 ? 'thing needs' : 'things need'} you`
  return `Sluice · ${savedLine(facts.savedToday)}${needs}`
}

const savedLine = (tokens: number): string =>
  tokens >= 0
    ? `${tokens.toLocaleString('en')} tokens kept out of context today`
    : `${(-tokens).toLocaleString('en')} tokens more than without Sluice today`

function attentionItems(attention: readonly Attention[], actions: TrayActions): TrayItem[] {
  const urgent = attention.filter(({ urgency }) => urgency === 'act')
  if (urgent.length === 0) return [{ label: 'Nothing needs you', enabled: false }]
  const items = urgent.slice(0, MOST_ATTENTION).map((item) => ({
    label: cut(
      item.kind === 'approvals-waiting' && item.server ? `${item.server}: ${item.title}` : item.title,
    ),
    click: () => follow(item, actions),
  }))
  const rest = urgent.length - items.length
  return rest > 0 ? [...items, { label: `${rest} more…`, click: () => actions.open('/') }] : items
}

function follow(item: Attention, actions: TrayActions): void {
  if (item.kind === 'approvals-waiting' && item.server !== undefined) actions.review(item.server)
  else actions.open(attentionRoute(item))
}

function serversItem({ servers }: TrayFacts, actions: TrayActions): TrayItem {
  if (servers.length === 0) return { label: 'No servers yet', click: () => actions.open('/servers') }
  const running = servers.filter(({ state }) => state === 'ready').length
  return {
    label: `Servers (${running} of ${servers.length} running)`,
    type: 'submenu',
    submenu: servers.map(({ id, state, open }) => ({
      label: cut(`${id}: ${stateWords(state, open)}`),
      click: () => actions.open(`/servers/${encodeURIComponent(id)}`),
    })),
  }
}

/** None before there are profiles. */
function profileItems({ profiles, profile }: TrayFacts, actions: TrayActions): TrayItem[] {
  if (profiles.length === 0) return []
  const item = (label: string, name: string | undefined): TrayItem => ({
    label: cut(label),
    type: 'radio',
    checked: name === profile,
    click: () => actions.useProfile(name),
  })
  return [
    {
      label: cut(`Profile: ${profile ?? 'all servers'}`),
      type: 'submenu',
      submenu: [item('All servers', undefined), ...profiles.map((name) => item(name, name))],
    },
  ]
}

function stateWords(state: string, open: number): string {
  if (state === 'ready') return open === 1 ? 'running' : `running, ${open} times`
  return state === 'idle' ? 'not needed now' : state
}

const cut = (text: string): string =>
  text.length <= LONGEST_LABEL ? text : `${text.slice(0, LONGEST_LABEL - 1)}…`

const clock = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
