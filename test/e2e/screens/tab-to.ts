import type { Page } from 'playwright-core'
import { pressTab } from './walk.ts'

const MOST_ROUNDS = 12

/** Runs in the page. Name of what has the focus; empty: nothing. */
const nameOfFocused = (): string => {
  const { activeElement } = document
  if (!activeElement || activeElement === document.body) return ''
  const label = activeElement.getAttribute('aria-label') ?? activeElement.closest('label')?.textContent
  return (label ?? activeElement.textContent).trim() || activeElement.tagName
}

/** Runs in the page. Further Tabs are held back once the focus is there, because several are sent at a time. */
const stopAt = (focused: typeof nameOfFocused, name: RegExp): void => {
  const listening = new AbortController()
  let isThere = false
  const { signal } = listening
  addEventListener('focusin', () => (isThere ||= name.test(focused())), { signal })
  const holdBack = (event: KeyboardEvent): void => {
    if (!isThere || event.key !== 'Tab') return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('keydown', holdBack, { signal, capture: true })
  Reflect.set(globalThis, 'isThere', () => isThere)
  Reflect.set(globalThis, 'letGo', () => listening.abort())
}

export const focused = (page: Page): Promise<string> => page.evaluate(nameOfFocused)

/** The focus, with at least one Tab, to the next element of that name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  await page.evaluate(`(${String(stopAt)})(${String(nameOfFocused)}, ${String(name)})`)
  try {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await pressTab(page)
      if (await page.evaluate<boolean>('isThere()')) return
    }
  } finally {
    await page.evaluate('letGo()')
  }
  throw new Error(`Tab does not lead to ${String(name)}.`)
}
