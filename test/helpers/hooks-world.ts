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
  return { engine, folder, dataDir, ask, close }
}
