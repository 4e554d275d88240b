import { nativeTheme } from 'electron'
import type {
  DesktopChoices,
  DesktopState,
  LostLauncher,
  Theme,
  UpdateState,
} from '../../shared/api/desktop.ts'
import type { Answers } from '../engine/screens/http/answers.ts'
import { follow } from '../engine/screens/live-events.ts'
import type { LoginItem } from './login-item.ts'
import type { PreferenceStore } from './preferences.ts'

export interface DesktopAnswersOptions {
  readonly preferences: PreferenceStore
  readonly login: LoginItem
  readonly updates: {
    readonly state: UpdateState
    follow(isWanted: boolean): void
    install(): void
  }
  readonly launchers: { readonly lost: readonly LostLauncher[]; repair(paths: readonly string[]): string[] }
  /** Closes the review window. */
  readonly onDone: () => void
}

export const showTheme = (theme: Theme): void =>
  void (nativeTheme.themeSource = theme === 'auto' ? 'system' : theme)

export function createDesktopAnswers(options: DesktopAnswersOptions) {
  const { preferences, login, updates, launchers } = options
  const listeners = new Set<(state: DesktopState) => void>()
  const state = (): DesktopState => {
    const { theme, notices, approvals, updates: looks } = preferences.current
    const { isOn, remark } = login.state()
    return {
      choices: { theme, notices, approvals, updates: looks, startAtLogin: isOn },
      ...(remark === undefined ? {} : { loginRemark: remark }),
      ...(login.unavailable === undefined ? {} : { noLogin: login.unavailable }),
      update: updates.state,
      lostLaunchers: [...launchers.lost],
    }
  }
  const changed = (): void => listeners.forEach((listener) => listener(state()))
  const choose = ({ startAtLogin, ...choices }: Partial<DesktopChoices>): DesktopState => {
    if (startAtLogin !== undefined) login.set(startAtLogin)
    preferences.set(definedOnly(choices))
    if (choices.theme !== undefined) showTheme(choices.theme)
    if (choices.updates !== undefined) updates.follow(choices.updates)
    changed()
    return state()
  }
  const answers: Answers['desktop'] = {
    live: (_input, { signal }) =>
      follow<DesktopState>({
        signal,
        backlog: 1,
        first: () => [state()],
        subscribe: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      }),
    choose,
    repairLaunchers: ({ paths }) => {
      const repaired = launchers.repair(paths)
      changed()
      return { repaired }
    },
    installUpdate: () => updates.install(),
    done: () => options.onDone(),
  }
  return { changed, choose, answers }
}

const definedOnly = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T
