import { useEventListener, useMutationObserver } from '@vueuse/core'
import type { Ref } from 'vue'

/**
 * An element that is removed or disabled while it has the focus loses it to the page, where a keyboard starts again
 * at the top. Here it goes to the closest part around it that is still there, and back to a button that is enabled
 * again.
 */
export function keepFocus(root: Readonly<Ref<HTMLElement | null>>): void {
  /** The focused element, and what is around it. */
  let path: HTMLElement[] = []
  useEventListener(document, 'focusin', ({ target }) => (path = around(target)))
  // A press beside everything gives the focus up on purpose.
  useEventListener(document, 'pointerdown', () => (path = []), { capture: true })
  useMutationObserver(
    root,
    () => {
      const [focused] = path
      if (!focused || document.activeElement !== document.body) return
      if (focused.isConnected) {
        if (!focused.matches(':disabled')) focused.focus({ preventScroll: true })
        return
      }
      path
        .find((element) => element.isConnected && element.tabIndex >= -1 && element.hasAttribute('tabindex'))
        ?.focus({
          preventScroll: true,
        })
    },
    { childList: true, subtree: true, attributeFilter: ['disabled'] },
  )
}

function around(target: EventTarget | null): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let element = target instanceof HTMLElement ? target : null; element; element = element.parentElement)
    found.push(element)
  return found
}
