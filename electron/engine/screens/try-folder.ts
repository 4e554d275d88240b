import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import { createIds } from '../ground/ids.ts'
import { SCREENS_CLIENT } from '../../../shared/screens-client.ts'
import { LATEST_LEGACY_VERSION } from '../protocol/era.ts'
import { isJsonObject, RpcError, RpcErrorCode } from '../protocol/json-rpc.ts'
import { GOAL_PARAMETER } from '../tools/present-tool.ts'
import { compareCall } from './results.ts'
import type { ScreensOptions } from './screens-options.ts'

const SERVER_ID = 'sample-folder'

/** In sources or build. */
const program = (): string =>
  fileURLToPath(
    new URL(
      import.meta.url.endsWith('.ts') ? '../../sample-server.ts' : '../../sample-server.js',
      import.meta.url,
    ),
  )

/** The bundled server in a process of its own, called once through the layers of every call. config.json stays as it is. */
export function createTryFolder(options: ScreensOptions): Answers['tools']['tryFolder'] {
  const newId = createIds(options.now)
  return async ({ folder: asked, file, goal }, { signal = new AbortController().signal }) => {
    const folder = folderOf(options.homeDir, asked)
    const started = performance.now()
    const link = await options.openNow({
      serverId: SERVER_ID,
      settings: {
        command: process.execPath,
        args: [program(), folder],
        env: { ELECTRON_RUN_AS_NODE: '1' },
      },
      client: {
        era: 'legacy',
        protocolVersion: LATEST_LEGACY_VERSION,
        capabilities: {},
        clientInfo: { name: SCREENS_CLIENT, version: options.version },
      },
      events: {
        onNotification: () => {},
        onRequest: (method) =>
          Promise.reject(new RpcError(RpcErrorCode.methodNotFound, `A try-out answers no ${method}.`)),
        onLost: () => {},
      },
      signal,
    })
    try {
      const tool = file === undefined ? 'list_folder' : 'read_file'
      const { tools } = await link.request('tools/list', {}, { signal })
      const listed = Array.isArray(tools) ? tools.filter(isJsonObject) : []
      const callId = newId('c')
      const call = options.pipeline(async ({ arguments: args, signal: ended }) => ({
        result: await link.request('tools/call', { name: tool, arguments: args ?? {} }, { signal: ended }),
      }))
      const { result } = await call({
        id: callId,
        clientName: SCREENS_CLIENT,
        // A session of its own: a repetition isn't answered with more.
        sessionId: newId('s'),
        serverId: SERVER_ID,
        tool,
        arguments: {
          ...(file === undefined ? {} : { path: file }),
          ...(goal === undefined ? {} : { [GOAL_PARAMETER]: goal }),
        },
        definition: listed.find(({ name }) => name === tool),
        policy: options.policies.ofTool(SERVER_ID, tool),
        goal: undefined,
        bypass: false,
        signal,
      })
      const ms = performance.now() - started
      const isError = result['isError'] === true
      return { folder, callId, ms, isError, result, comparison: await compareCall(options, result) }
    } finally {
      await link.close()
    }
  }
}

function folderOf(homeDir: string, asked: string | undefined): string {
  const folder = resolve(homeDir, (asked ?? '').trim().replace(/^~(?=$|[/\\])/, homeDir))
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder
  throw new SluiceError(
    'BAD_INPUT',
    `There is no folder ${folder}. Write the path of a folder of this machine.`,
  )
}
