import type { Page } from 'playwright-core'

/** Wider than its place; except code, whose lines aren't wrapped. `tables: false`: except tables, too, which scroll. */
export const tooWide = (page: Page, { tables = true } = {}): Promise<string[]> =>
  page.evaluate(
    (withTables) =>
      [...document.querySelectorAll<HTMLElement>('html, body, body *')]
        .filter((element) => {
          if (element.closest('.cm-editor, pre, .code, .sheet, .sr-only, .skip')) return false
          if (!withTables && (element.closest('.list, table') || element.querySelector(':scope > table')))
            return false
          // Ends with an ellipsis, in sight.
          if (element.parentElement?.closest('.clip')) return false
          const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
          const { right, width } = element.getBoundingClientRect()
          const isCut = scrolls && element.scrollWidth > element.clientWidth + 1
          return isCut || (width > 0 && right > innerWidth + 1)
        })
        .map(({ tagName, className, scrollWidth }) => `${tagName} ${className} ${scrollWidth}`),
    tables,
  )
