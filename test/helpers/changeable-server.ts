import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testServer } from './upstream.ts'

/** Lists what `offer` last wrote. */
export function changeableServer(
  tools: readonly JsonObject[] = [],
  more: JsonObject = {},
  folder: string = temporaryFolder(),
) {
  const path = join(folder, 'offer.json')
  const offer = (now: readonly JsonObject[], rest: JsonObject = {}): void => {
    // Atomically: the server may read at any time.
    writeFileSync(`${path}.new`, JSON.stringify({ tools: now, ...rest }))
    renameSync(`${path}.new`, path)
  }
  offer(tools, more)
  const server: ServerSettings = testServer('changeable', path)
  /** Answers that the server received. */
  const heard = (): JsonObject[] =>
    existsSync(`${path}.heard`)
      ? readFileSync(`${path}.heard`, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as JsonObject)
      : []
  return { offer, server, heard }
}

export const simpleTool = (name: string, description = `Does ${name}.`): JsonObject => ({
  name,
  description,
  inputSchema: { type: 'object' },
})
