import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { SluiceError } from '../../ground/errors.ts'
import { type ConnectorHello, type HookHello, readFirstLine, toWelcome } from './connector-hello.ts'
import { whyNotOwn } from '../transports/socket-owner.ts'

const WELCOME_TIMEOUT_MS = 10_000

/** Undefined without an engine. Throws ENGINE_FOREIGN before sending anything if another user may listen. */
export async function openEngineSocket(
  path: string,
  hello: ConnectorHello | HookHello,
  platform = process.platform,
): Promise<Socket | undefined> {
  refuseForeign(path, platform)
  const socket = await dial(path)
  if (!socket) return undefined
  try {
    // The path may have been exchanged meanwhile.
    refuseForeign(path, platform)
    socket.write(`${JSON.stringify(hello)}\n`)
    const welcome = await readFirstLine(socket, toWelcome, WELCOME_TIMEOUT_MS)
    if (welcome.ok) return socket
    throw new SluiceError('BAD_INPUT', `The Sluice engine refused this connection: ${welcome.error}`)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function refuseForeign(path: string, platform: NodeJS.Platform): void {
  const why = whyNotOwn(path, platform)
  if (why !== undefined)
    throw new SluiceError(
      'ENGINE_FOREIGN',
      `What listens at ${path} may be another user's program: ${why}. Nothing was sent to it. Remove the folder, or choose another data folder with --data-dir.`,
    )
}

const ABSENT = new Set(['ENOENT', 'ECONNREFUSED'])

const dial = (path: string): Promise<Socket | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    const onError = (error: Error & { code?: string }): void => {
      if (ABSENT.has(error.code ?? '')) resolve(undefined)
      else
        reject(
          new SluiceError(
            'ENGINE_UNREACHABLE',
            `The Sluice engine at ${path} can't be reached: ${error.message}`,
            {
              cause: error,
            },
          ),
        )
    }
    socket.once('error', onError)
    socket.once('connect', () => {
      socket.off('error', onError)
      socket.on('error', () => {})
      resolve(socket)
    })
  })
