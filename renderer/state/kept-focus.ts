import { useEventListener, useMutationObserver } from '@vueuse/core'
import type { Ref } from 'vue'

/**
 * An element that is removed or disabled while it has the focus loses it to the page, where a keyboard starts again
 * at the top. Here it goes to the closest part around it that is still there, and back to what is enabled again.
 */
export function keepFocus(root: Readonly<Ref<HTMLElement | null>>): void {
  /** The focused element, and what is around it. */
  let path: HTMLElement[] = []
  /** Disabled while it had the focus, which `instead` has now. */
  let disabled: HTMLElement | undefined
  let instead: HTMLElement | undefined
  useEventListener(document, 'focusin', ({ target }) => {
    path = around(target)
    if (target !== instead) disabled = instead = undefined
  })
  // A press beside everything gives the focus up on purpose.
  useEventListener(document, 'pointerdown', () => (path = []), { capture: true })
  useMutationObserver(
    document.body,
    () => {
      const [focused] = path
      if (disabled?.isConnected && !disabled.matches(':disabled')) return focus(disabled)
      if (!focused || (focused.isConnected && !focused.matches(':disabled'))) return
      if (document.activeElement !== focused && document.activeElement !== document.body) return
      const [, ...others] = path
      disabled = focused
      instead = others.find((element) => element.isConnected && element.hasAttribute('tabindex'))
      // A dialog is gone as a whole, perhaps with what opened it.
      instead ??= root.value ?? undefined
      if (instead) focus(instead)
    },
    { childList: true, subtree: true, attributeFilter: ['disabled'] },
  )
}

const focus = (element: HTMLElement): void => element.focus({ preventScroll: true })

function around(target: EventTarget | null): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let element = target instanceof HTMLElement ? target : null; element; element = element.parentElement)
    found.push(element)
  return found
}
