import axeCore from 'axe-core'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What depends on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/** How texts looked whose colours axe judged: that takes most of its time, and each page repeats most of those before. */
const judged = new Set<string>()

/**
 * Serious findings of axe on the page, or in the part `within` a selector: all rules in light colours; colour rules, in
 * light and dark ones, on texts that look as none did before. Rules that find only what is less serious aren't run:
 * "region" alone takes a fifth of the time.
 */
export async function seriousFaults(page: Page, within?: string): Promise<string[]> {
  // Half a megabyte of code: once for each document.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source)
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { found, looks } = await page.evaluate(judge, {
      within,
      colours: OF_COLOURS,
      known: [...judged],
      isAll: colorScheme === 'light',
    })
    for (const look of looks) judged.add(look)
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`))
  }
  return faults
}

interface Asked {
  readonly within: string | undefined
  readonly colours: string[]
  readonly known: readonly string[]
  /** Also what doesn't depend on colours. */
  readonly isAll: boolean
}

/** In the page. */
async function judge({
  within,
  colours,
  known,
  isAll,
}: Asked): Promise<{ found: string[]; looks: string[] }> {
  // The page takes up the theme before the next frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

  /** What lies behind an element, from the nearest on. */
  const grounds = new Map<Element, string>()
  const groundOf = (element: Element | null): string => {
    if (!element) return ''
    const there = grounds.get(element)
    if (there !== undefined) return there
    const { backgroundColor, backgroundImage, opacity, filter, position } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, filter, position].join(' ')
    const ground = `${own === 'rgba(0, 0, 0, 0) none 1 none static' ? '' : `${own} < `}${groundOf(element.parentElement)}`
    grounds.set(element, ground)
    return ground
  }
  const lookOf = (element: Element): string => {
    const { color, fontSize, fontWeight, textDecorationLine } = getComputedStyle(element)
    const around = element.parentElement && getComputedStyle(element.parentElement).color
    const hint = element.matches('input, textarea') && getComputedStyle(element, '::placeholder').color
    const off = element.matches(':disabled, [aria-disabled=true]')
    const own = [element.localName, off, color, around, hint, fontSize, fontWeight, textDecorationLine]
    return [...own, groundOf(element)].join('; ')
  }
  const isText = (element: Element): boolean =>
    element.matches('input, textarea, select') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
  const looks = new Map<string, Element>()
  for (const element of document.querySelectorAll(within ? `${within}, ${within} *` : 'body *'))
    if (isText(element) && element.checkVisibility({ visibilityProperty: true })) {
      const look = lookOf(element)
      if (!looks.has(look)) looks.set(look, element)
    }
  for (const look of known) looks.delete(look)

  const axe = Reflect.get(globalThis, 'axe') as typeof axeCore & {
    readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact?: string }[] }
  }
  const results: AxeResults[] = []
  if (isAll) {
    const minor = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    const off = [...minor.map(({ id }) => id), ...colours]
    const rules = Object.fromEntries(off.map((id) => [id, { enabled: false }]))
    results.push(await axe.run(within ?? document, { resultTypes: ['violations'], rules }))
  }
  if (looks.size > 0) {
    const texts = { include: [...looks.values()] }
    results.push(
      await axe.run(texts, { resultTypes: ['violations'], runOnly: { type: 'rule', values: colours } }),
    )
  }
  const found = results
    .flatMap(({ violations }) => violations)
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  return { found, looks: [...looks.keys()] }
}
