import { onKeyStroke } from '@vueuse/core'
import { nextTick, type Ref } from 'vue'

/** Arrow keys (or j and k), unless a field has focus. */
export function useListKeys(
  ids: Ref<readonly string[]>,
  chosen: Ref<string>,
  choose: (id: string) => void,
): void {
  const move =
    (step: number) =>
    (event: KeyboardEvent): void => {
      const target = event.target
      if (
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [role="dialog"], aside, .bar')
      )
        return
      if (event.ctrlKey || event.metaKey || event.altKey || ids.value.length === 0) return
      event.preventDefault()
      const at = ids.value.indexOf(chosen.value)
      const next = ids.value[at < 0 ? 0 : Math.min(ids.value.length - 1, Math.max(0, at + step))]
      if (next === undefined) return
      choose(next)
      void nextTick(() =>
        document.querySelector('main [aria-selected="true"]')?.scrollIntoView({ block: 'nearest' }),
      )
    }
  onKeyStroke(['ArrowDown', 'j'], move(1))
  onKeyStroke(['ArrowUp', 'k'], move(-1))
  onKeyStroke('Escape', (event) => {
    if (event.target instanceof HTMLElement && event.target.closest('[role="dialog"]')) return
    if (chosen.value !== '') choose('')
  })
}
