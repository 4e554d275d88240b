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
  const to = (path: string) => (): unknown => goTo(path)
  return [
    { label: 'Add a server', words: 'new install', icon: 'plus', go: to('/servers?add=form') },
    {
      label: 'Add servers from a pasted configuration, command or address',
      words: 'json npx docker url',
      icon: 'clipboard-paste',
      go: to('/servers?add=paste'),
    },
    {
      label: 'Import servers from an app',
      words: 'claude cursor code copy',
      icon: 'app-window',
      go: to('/servers?add=import'),
    },
    {
      label: 'Wrap or unwrap an app',
      words: 'protect undo claude cursor clients',
      icon: 'app-window',
      go: to('/clients'),
    },
    { label: 'Decide on what changed', words: 'approve deny pins', icon: 'file-check', go: to('/approvals') },
    {
      label: 'Release or delete a quarantined result',
      words: 'stopped blocked attack guard',
      icon: 'shield-alert',
      go: to('/quarantine'),
    },
    {
      label: 'Hide unused tools',
      words: 'trim context never called',
      icon: 'wrench',
      go: to('/tools?which=unused'),
    },
    {
      label: 'Which tools cost most context',
      words: 'tokens large big expensive',
      icon: 'wrench',
      go: to('/tools?sort=context'),
    },
    { label: 'Download a model', words: 'gguf llama local', icon: 'brain', go: to('/models') },
    { label: 'Edit config.json', words: 'text file', icon: 'braces', go: to('/settings?view=text') },
    {
      label: 'Export or import the settings',
      words: 'backup save share restore',
      icon: 'braces',
      go: to('/settings'),
    },
    {
      label: 'Edit profiles',
      words: 'sets of servers folder client switch',
      icon: 'server',
      go: to('/settings?text=profiles'),
    },
    {
      label: 'Set a budget',
      words: 'limit tokens dollars month day',
      icon: 'coins',
      go: to('/settings?text=budget'),
    },
    {
      label: 'Browsers with access',
      words: 'sign out end session',
      icon: 'monitor',
      go: to('/settings?text=browsers'),
    },
    {
      label: 'Where the data is',
      words: 'folder disk size delete',
      icon: 'braces',
      go: to('/settings?text=folder'),
    },
    { label: 'Set prices', words: 'money cost model', icon: 'coins', go: to('/settings?text=price') },
    { label: 'See what failed', words: 'errors', icon: 'circle-alert', go: to('/activity?only=error') },
    { label: 'See what was blocked', words: 'refused', icon: 'shield-ban', go: to('/activity?only=refused') },
    { label: 'Open the start guide', words: 'welcome first help', icon: 'info', go: to('/start') },
    { label: 'Show the keyboard shortcuts', words: 'keys help', icon: 'info', go: showKeys },
    {
      label: 'Use the colours of the system',
      words: 'theme auto',
      icon: 'monitor',
      go: () => setTheme('auto'),
    },
    { label: 'Use light colours', words: 'theme', icon: 'sun', go: () => setTheme('light') },
    { label: 'Use dark colours', words: 'theme night', icon: 'moon', go: () => setTheme('dark') },
  ]
}

/** Newest first, without repeats. */
export const withRecent = (recent: readonly string[], label: string, most = 6): string[] =>
  [label, ...recent.filter((known) => known !== label)].slice(0, most)
