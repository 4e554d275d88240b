import axeCore from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Serious findings of axe on the page, or in the part `within` a selector: all rules in light colours, colour rules
 * in dark ones, because all else is the same. Rules that find only what is less serious aren't run: "region" alone
 * takes a fifth of the time.
 */
export async function seriousFaults(page: Page, within?: string): Promise<string[]> {
  // Half a megabyte of code: once for each document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source)
  const faults = async (colorScheme: 'light' | 'dark'): Promise<string[]> => {
    await page.emulateMedia({ colorScheme })
    const found = await page.evaluate(
      async ({ part, only }) => {
        const axe = Reflect.get(globalThis, 'axe') as typeof axeCore & {
          readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact?: string }[] }
        }
        const minor = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
        const { violations }: AxeResults = await axe.run(part ?? document, {
          resultTypes: ['violations'],
          ...(only
            ? { runOnly: { type: 'rule', values: only } }
            : { rules: Object.fromEntries(minor.map(({ id }) => [id, { enabled: false }])) }),
        })
        return violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
      },
      { part: within, only: colorScheme === 'dark' ? OF_COLOURS : undefined },
    )
    return found.map((fault) => `${colorScheme}: ${fault}`)
  }
  return [...(await faults('light')), ...(await faults('dark'))]
}
