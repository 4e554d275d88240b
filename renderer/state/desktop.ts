import { ref, watch, type Ref } from 'vue'
import type { DesktopChoices, DesktopState } from '../../shared/api/desktop.ts'
import { api, isInWindow } from '../api.ts'
import { useBusy } from './busy.ts'
import { follow } from './follow.ts'
import { useNotices } from './notices.ts'
import { theme } from './theme.ts'

export function useDesktop(): {
  readonly state: Ref<DesktopState | undefined>
  readonly isBusy: Ref<boolean>
  choose(choices: Partial<DesktopChoices>): Promise<void>
  repair(paths: string[]): Promise<void>
  installUpdate(): Promise<void>
} {
  const state = ref<DesktopState>()
  const { isBusy, run } = useBusy()
  const notices = useNotices()
  follow(
    (signal) => api.desktop.live(undefined, { signal }),
    (now) => (state.value = now),
  )
  return {
    state,
    isBusy,
    choose: (choices) =>
      run('It stays as it was', async () => (state.value = await api.desktop.choose(choices))),
    repair: (paths) =>
      run('Not every file was changed', async () => {
        const { repaired } = await api.desktop.repairLaunchers({ paths })
        notices.done(`${repaired.join(', ')} ${repaired.length === 1 ? 'starts' : 'start'} this Sluice`)
      }),
    installUpdate: () => run('The update was not installed', () => api.desktop.installUpdate()),
  }
}

/** Window frame, menus and dialogs follow the page. */
export function tellDesktopOfTheme(): void {
  if (!isInWindow) return
  watch(theme, (chosen) => void api.desktop.choose({ theme: chosen }).catch(() => {}), { immediate: true })
}
