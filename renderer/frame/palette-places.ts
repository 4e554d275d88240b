import type { SwitchChange, SwitchState } from '../../shared/api/switch.ts'
import type { IconName } from '../design/icon-names.ts'
import type { Findable, PlaceGroup } from '../format/find-places.ts'
import type { SavedViews } from '../state/saved-views.ts'
import type { Theme } from '../state/theme.ts'
import { allSections } from './sections.ts'

export interface Place extends Findable {
  readonly icon: IconName
  go(): unknown
}

export interface PaletteWorld {
  readonly servers: readonly string[]
  readonly tools: readonly { server: string; tool: string }[]
  readonly settings: readonly { label: string; path: string }[]
  /** Undefined until the engine has answered. */
  readonly state: SwitchState | undefined
  readonly switchTo: (change: SwitchChange) => unknown
  readonly goTo: (path: string) => unknown
  readonly setTheme: (theme: Theme) => void
  readonly showKeys: () => void
  readonly restart: (server: string) => unknown
  readonly views: SavedViews
}

export function palettePlaces(world: PaletteWorld): PlaceGroup<Place>[] {
  const to = (path: string) => (): unknown => world.goTo(path)
  return [
    {
      label: 'Saved views',
      places: world.views.saved.map(({ label, address }) => ({ label, icon: 'search', go: to(address) })),
    },
    {
      label: 'Screens',
      places: allSections.map(({ label, question, icon, path }) => ({
        label,
        suffix: question,
        icon,
        go: to(path),
      })),
    },
    {
      label: 'Servers',
      places: world.servers.map((server) => ({
        label: server,
        icon: 'server',
        go: to(`/servers/${encodeURIComponent(server)}`),
      })),
    },
    {
      label: 'Tools',
      places: world.tools.map(({ server, tool }) => ({
        label: tool,
        suffix: server,
        icon: 'wrench',
        go: to(`/tools/${encodeURIComponent(server)}/${encodeURIComponent(tool)}`),
      })),
    },
    {
      label: 'Actions',
      places: [...switchPlaces(world), ...viewPlaces(world), ...actions(world), ...restarts(world)],
    },
    {
      label: 'Settings',
      places: world.settings.map(({ label, path }) => ({
        label,
        suffix: path,
        icon: 'sliders-horizontal',
        go: to(`/settings?text=${encodeURIComponent(path)}`),
      })),
    },
  ]
}

const restarts = ({ servers, restart }: PaletteWorld): Place[] =>
  servers.map((server) => ({
    label: `Restart ${server}`,
    words: 'start again server reload',
    icon: 'rotate-ccw-clock',
    go: () => restart(server),
  }))

/** Of the screen as it is filtered now. */
function viewPlaces({ views }: PaletteWorld): Place[] {
  const { current, isSaved } = views
  if (!current) return []
  const words = 'filter search keep bookmark'
  return isSaved
    ? [{ label: `Forget the view ${current.label}`, words, icon: 'x', go: () => views.forget() }]
    : [{ label: `Save the view ${current.label}`, words, icon: 'search', go: () => views.save() }]
}

/** What the switch offers now. */
function switchPlaces({ state, switchTo }: PaletteWorld): Place[] {
  if (!state) return []
  const place = (label: string, words: string, change: SwitchChange): Place => ({
    label,
    words,
    icon: 'waves',
    go: () => switchTo(change),
  })
  if (!state.on) return [place('Switch Sluice on', 'resume start enable', { what: 'everything', on: true })]
  return [
    state.compressing
      ? place('Pause compression for an hour', 'stop off whole results', {
          what: 'compression',
          on: false,
          minutes: 60,
        })
      : place('Resume compression', 'on start shorten', { what: 'compression', on: true }),
    place('Switch Sluice off', 'pause stop disable everything', { what: 'everything', on: false }),
  ]
}

function actions({ goTo, setTheme, showKeys }: PaletteWorld): Place[] {
  const place = (label: string, words: string, icon: IconName, to: string | (() => unknown)): Place => ({
    label,
    words,
    icon,
    go: typeof to === 'string' ? () => goTo(to) : to,
  })
  return [
    place('Add a server', 'new install', 'plus', '/servers?add=form'),
    place(
      'Add servers from a pasted configuration, command or address',
      'json npx docker url',
      'clipboard-paste',
      '/servers?add=paste',
    ),
    place('Import servers from an app', 'claude cursor code copy', 'app-window', '/servers?add=import'),
    place('Wrap or unwrap an app', 'protect undo claude cursor clients', 'app-window', '/clients'),
    place('Decide on what changed', 'approve deny pins', 'file-check', '/approvals'),
    place(
      'Release or delete a quarantined result',
      'stopped blocked attack guard',
      'shield-alert',
      '/quarantine',
    ),
    place('Hide unused tools', 'trim context never called', 'wrench', '/tools?which=unused'),
    place('Which tools cost most context', 'tokens large big expensive', 'wrench', '/tools?sort=context'),
    place('Download a model', 'gguf llama local', 'brain', '/models'),
    place('Edit config.json', 'text file', 'braces', '/settings?view=text'),
    place('Export or import the settings', 'backup save share restore', 'braces', '/settings'),
    place('Edit profiles', 'sets of servers folder client switch', 'server', '/settings?text=profiles'),
    place('Set a budget', 'limit tokens dollars month day', 'coins', '/settings?text=budget'),
    place('Browsers with access', 'sign out end session', 'monitor', '/settings?text=browsers'),
    place('Where the data is', 'folder disk size delete', 'braces', '/settings?text=folder'),
    place('Set prices', 'money cost model', 'coins', '/settings?text=price'),
    place('See what failed', 'errors', 'circle-alert', '/activity?only=error'),
    place('See what was blocked', 'refused', 'shield-ban', '/activity?only=refused'),
    place('Open the start guide', 'welcome first help', 'info', '/start'),
    place('Show the keyboard shortcuts', 'keys help', 'info', showKeys),
    place('Use the colours of the system', 'theme auto', 'monitor', () => setTheme('auto')),
    place('Use light colours', 'theme', 'sun', () => setTheme('light')),
    place('Use dark colours', 'theme night', 'moon', () => setTheme('dark')),
  ]
}

/** Newest first, without repeats. */
export const withRecent = (recent: readonly string[], label: string, most = 6): string[] =>
  [label, ...recent.filter((known) => known !== label)].slice(0, most)
