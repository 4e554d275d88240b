import type { Page } from 'playwright-core'

/** Keys before checking whether all was reached, sent without waiting for a frame after each: frames take most of the time. */
const AT_ONCE = 10

/** The key is pressed that many times, the last ones as a key that is held. */
export const pressTab = async (page: Page, times = AT_ONCE): Promise<void> => {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press('Tab')))
}

/** Two frames later. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )

/** With Tab. Returns what can be operated but wasn't reached, and what was reached invisibly. */
export async function walk(page: Page): Promise<{ missed: string[]; unseen: string[] }> {
  await page.evaluate(() => {
    const label = (element: Element): string =>
      `${element.tagName.toLowerCase()} ${element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? ''}`
    const isOperable = (element: Element): element is HTMLElement => {
      if (!(element instanceof HTMLElement) || element.closest('[aria-hidden="true"], [inert]')) return false
      if (element.tabIndex < 0 || element.matches(':disabled, input[type="radio"]')) return false
      return element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
    }
    const all = [
      ...document.querySelectorAll(
        'a[href], button, input, select, textarea, summary, [contenteditable="true"]',
      ),
    ]
    Reflect.set(globalThis, 'wanted', new Set(all.filter(isOperable)))
    Reflect.set(globalThis, 'unseen', [])
    const note = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement)) return
      const wanted = Reflect.get(globalThis, 'wanted') as Set<Element>
      wanted.delete(target)
      const around = [target, target.parentElement, target.closest('.cm-editor'), target.closest('label')]
      const isSeen = around.some((element) => {
        if (!element) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      if (!isSeen && target.id !== 'main') (Reflect.get(globalThis, 'unseen') as string[]).push(label(target))
    }
    // The last walk's document may already listen.
    if (!Reflect.has(globalThis, 'labelOf')) document.addEventListener('focusin', note)
    Reflect.set(globalThis, 'labelOf', label)
    // From the top, wherever the previous walk ended.
    all.find(isOperable)?.focus()
  })
  const left = () =>
    page.evaluate(() => {
      // Lists of calls and log lines may have changed meanwhile.
      const wanted = [...(Reflect.get(globalThis, 'wanted') as Set<Element>)]
      return wanted.filter((element) => element.isConnected && !element.matches(':disabled')).length
    })
  const MOST = 260
  for (let step = 0; step < MOST && (await left()) > 0; step += AT_ONCE) {
    await pressTab(page)
    await drawn(page)
  }
  return page.evaluate(() => {
    const labelOf = Reflect.get(globalThis, 'labelOf') as (element: Element) => string
    const wanted = [...(Reflect.get(globalThis, 'wanted') as Set<Element>)].filter(
      (element) => element.isConnected && !element.matches(':disabled'),
    )
    return {
      missed: wanted.map(labelOf),
      unseen: [...new Set(Reflect.get(globalThis, 'unseen') as string[])],
    }
  })
}
