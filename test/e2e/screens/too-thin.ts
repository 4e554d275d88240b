import type { Page } from 'playwright-core'

/** Texts in a column so thin that their words are broken letter by letter. */
export const tooThin = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const text = [...element.childNodes]
          .filter((node) => node.nodeType === Node.TEXT_NODE)
          .map(({ textContent }) => textContent?.trim() ?? '')
          .join('')
        const { width, height } = element.getBoundingClientRect()
        const em = Number.parseFloat(getComputedStyle(element).fontSize)
        // Not what is for screen readers alone, which has a pixel of height.
        return text.length >= 8 && width > 0 && width < 3 * em && height > 6 * em
      })
      .map(({ tagName, className, textContent }) => `${tagName} ${className} ${textContent?.slice(0, 40)}`),
  )
