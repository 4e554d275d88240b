import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { writeConfig } from './data-folder.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestEngine } from './test-engine.ts'

/** An engine whose answers to hooks may take as long as a busy machine needs. */
export async function hooksWorld(
  whenDone: (end: () => Promise<void> | void) => void,
  settings: JsonObject = {},
) {
  const folder = temporaryFolder(whenDone)
  const dataDir = writeConfig(`${folder}/data`, {}, settings)
  const { engine, close } = await startTestEngine(dataDir, { homeDir: folder, hookAnswerMs: 60_000 })
  whenDone(close)
  const ask = (app: string, event: string, payload: JsonObject): Promise<JsonObject> =>
    engine.hooks.answer(app, event, payload)
  /** As the app does when it starts: from then on its agents can read what is kept. */
  const listsTools = async (client: string): Promise<void> => {
    const session = engine.openSession({
      scope: { kind: 'all' },
      client: { name: client },
      link: {
        era: 'legacy',
        notify: () => {},
        ask: () => Promise.reject(new Error('Nothing is asked here.')),
      },
    })
    const request = (method: string, params: JsonObject) =>
      session.handleRequest({
        id: method,
        method,
        params,
        signal: new AbortController().signal,
        notify: () => {},
      })
    const clientInfo = { name: client, version: '1' }
    await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    await request('tools/list', {})
    whenDone(() => session.close())
  }
  return { engine, folder, dataDir, ask, listsTools, close }
}
