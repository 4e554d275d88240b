import { afterEach } from 'vitest'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { UpstreamLink } from '../../electron/engine/protocol/link.ts'
import { openTestLink, type TestLinkOptions } from './upstream.ts'

/** Opens links to servers and closes them after each test. */
export function testLinks() {
  const open: UpstreamLink[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((link) => link.close()))
  })
  return async (options: TestLinkOptions) => {
    const opened = await openTestLink(options)
    open.push(opened.link)
    return opened
  }
}

export const call = (link: UpstreamLink, name: string, args: JsonObject = {}): Promise<JsonObject> =>
  link.request('tools/call', { name, arguments: args })
