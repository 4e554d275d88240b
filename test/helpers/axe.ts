import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * What axe finds serious on the page as it stands, or in the part of it that is `within` a selector: under every rule in
 * light colours, and then in dark ones under the rules that look at colours, since all else is the same.
 */
export async function seriousFaults(page: Page, within?: string): Promise<string[]> {
  const axe = (): AxeBuilder => {
    // One page without frames needs no second page in which axe puts the findings of frames together, and nobody reads
    // what is right.
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
