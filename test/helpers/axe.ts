import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * Serious findings of axe on the page, or in the part `within` a selector: all rules in light colours, colour rules
 * in dark ones, because all else is the same.
 */
export async function seriousFaults(page: Page, within?: string): Promise<string[]> {
  const axe = (): AxeBuilder => {
    // A page without frames needs no second page for merging findings; passes aren't used.
    const whole = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    return within === undefined ? whole : whole.include(within)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await axe().analyze()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await axe().withRules(['color-contrast', 'link-in-text-block']).analyze()
  return [light, dark].flatMap(({ violations }, index) =>
    violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(
        ({ id, nodes }) =>
          `${index === 0 ? 'light' : 'dark'}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      ),
  )
}
