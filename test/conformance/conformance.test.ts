import { afterAll, beforeAll, expect, test } from 'vitest'
import { compare } from './exceptions.ts'
import { openRoutes, type Routes } from './routes.ts'
import { runServerSuite } from './run-suite.ts'

/** Both eras without a bridge, once per transport. All combinations: `npm run conformance`. */

let routes: Routes

beforeAll(async () => {
  routes = await openRoutes()
})
afterAll(() => routes.close())

test.each([
  { version: '2025-11-25', transport: 'http', atLeast: 84 },
  { version: '2026-07-28', transport: 'stdio', atLeast: 152 },
] as const)(
  'all checks of $version that pass directly pass through Sluice, over $transport',
  async ({ version, transport, atLeast }) => {
    const [near, far] = [routes.direct, routes.through].map((list) =>
      list.find(
        (route) =>
          route.version === version && (route.url.includes(`/${transport}-`) || list === routes.direct),
      ),
    )
    if (!near || !far) throw new Error('There is no such route.')
    const [direct, through] = await Promise.all(
      [near, far].map((route) => runServerSuite(route.url, version)),
    )
    if (!direct || !through) throw new Error('The suite did not run.')
    expect([...direct.failed]).toEqual([])
    expect(direct.counts.passed).toBeGreaterThanOrEqual(atLeast)
    expect(compare(direct, through, far).filter(({ reason }) => reason === undefined)).toEqual([])
  },
)
