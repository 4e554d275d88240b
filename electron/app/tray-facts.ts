import type { Engine } from '../engine/engine.ts'
import type { LoginItem } from './login-item.ts'
import type { TrayFacts } from './tray-menu.ts'

type ShownEngine = Pick<Engine, 'answers' | 'events' | 'ledger' | 'mainSwitch' | 'serverStates' | 'settings'>

export async function gatherTrayFacts(
  engine: ShownEngine,
  { now, login }: { now: number; login: LoginItem },
): Promise<TrayFacts> {
  const [attention, { totals }] = await Promise.all([
    engine.answers().then(({ overview }) => overview.attention(undefined, { signal: undefined })),
    engine.ledger.report({ from: new Date(now).setHours(0, 0, 0, 0), to: now + 1 }),
  ])
  return {
    power: engine.mainSwitch.current,
    savedToday: totals.net,
    attention,
    servers: Object.entries(engine.settings.current.servers).map(([id, { disabled }]) => {
      const { state, open } = engine.serverStates.of(id)
      return { id, state: disabled === true ? 'disabled' : state, open }
    }),
    profiles: Object.keys(engine.settings.current.profiles),
    profile: engine.settings.current.profile,
    startAtLogin: login.state().isOn,
    canStartAtLogin: login.unavailable === undefined,
  }
}

const SETTLE_MS = 250
const AT_LEAST_EVERY_MS = 60_000

/** Returns the stop. */
export function followForTray({ events }: Pick<Engine, 'events'>, refresh: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      refresh()
    }, SETTLE_MS)
  }
  const stop = events.onAny(
    [
      'switch-changed',
      'call-recorded',
      'fetch-recorded',
      'server-state',
      'approval-needed',
      'approvals-decided',
      'attack-found',
      'quarantine-changed',
      'settings-changed',
      'settings-problems',
    ],
    soon,
  )
  const minute = setInterval(soon, AT_LEAST_EVERY_MS)
  return () => {
    clearTimeout(timer)
    clearInterval(minute)
    stop()
  }
}
