import { readFileSync } from 'node:fs'
import type { CDPSession } from 'playwright-core'
import { MessagePortMain, type OtherEnd } from './message-ports.ts'

const WORLD = 'preload'
const TO_MAIN = 'standInToMain'

export interface SentByPage {
  readonly channel: string
  readonly message: unknown
  readonly ports: readonly MessagePortMain[]
}

type Payload =
  | { kind: 'post'; channel: string; message: unknown; ports: readonly number[] }
  | { kind: 'data'; port: number; data: string }
  | { kind: 'close'; port: number }

/**
 * Runs a preload script as Electron's sandbox does: in an isolated world that shares only the document with the page,
 * before the page's scripts, with a `require` that knows only electron.
 */
export async function installPreload(
  cdp: CDPSession,
  path: string,
  onSent: (sent: SentByPage) => void,
): Promise<void> {
  let context: number | undefined
  const ports = new Map<number, OtherEnd>()
  const toPage = (port: number, how: string, data?: string): void => {
    if (context === undefined) return
    const expression = `standInFromMain(${JSON.stringify({ port, how, data })})`
    cdp.send('Runtime.evaluate', { expression, contextId: context }).catch(() => {})
  }
  const portOf = (id: number): MessagePortMain =>
    new MessagePortMain((self) => {
      ports.set(id, self)
      return {
        deliver: (data) => {
          if (typeof data !== 'string') throw new Error('The stand-in passes only text through ports so far.')
          toPage(id, 'data', data)
        },
        disconnect: () => toPage(id, 'close'),
      }
    })
  const disconnectAll = (): void => {
    for (const port of ports.values()) port.disconnect()
    ports.clear()
  }

  cdp.on('Runtime.executionContextCreated', ({ context: made }) => {
    if (made.name === WORLD) context = made.id
  })
  // A destroyed document closes its ports.
  cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    if (executionContextId === context) disconnectAll()
  })
  cdp.on('Runtime.executionContextsCleared', disconnectAll)
  cdp.on('Inspector.targetCrashed', disconnectAll)
  cdp.on('Runtime.bindingCalled', ({ name, payload }) => {
    if (name !== TO_MAIN) return
    const sent = JSON.parse(payload) as Payload
    if (sent.kind === 'data') ports.get(sent.port)?.deliver(sent.data)
    else if (sent.kind === 'close') ports.get(sent.port)?.disconnect()
    else onSent({ channel: sent.channel, message: sent.message, ports: sent.ports.map(portOf) })
  })
  await cdp.send('Runtime.enable')
  await cdp.send('Page.enable')
  await cdp.send('Runtime.addBinding', { name: TO_MAIN, executionContextName: WORLD })
  const source = `(${world.toString()})((exports, require, module) => {\n${readFileSync(path, 'utf8')}\n})`
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
}

type Preload = (exports: object, require: (name: string) => unknown, module: { exports: object }) => void

declare const standInToMain: (payload: string) => void

/** Runs in the page, without access to this file. */
function world(preload: Preload): void {
  const ports = new Map<number, MessagePort>()
  let lastPort = Date.now()
  const toMain = (payload: object): void => standInToMain(JSON.stringify(payload))
  const take = (port: MessagePort): number => {
    const id = ++lastPort
    ports.set(id, port)
    port.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') throw new Error('The stand-in passes only text through ports so far.')
      toMain({ kind: 'data', port: id, data })
    })
    port.addEventListener('close', () => toMain({ kind: 'close', port: id }))
    port.start()
    return id
  }
  Object.assign(globalThis, {
    standInFromMain: ({ port, how, data }: { port: number; how: string; data?: string }) => {
      if (how === 'data') ports.get(port)?.postMessage(data)
      else ports.get(port)?.close()
    },
  })
  const ipcRenderer = {
    postMessage: (channel: string, message: unknown, transfer: MessagePort[] = []) =>
      toMain({ kind: 'post', channel, message, ports: transfer.map(take) }),
  }
  const strict = <T extends object>(name: string, target: T): T =>
    new Proxy(target, {
      get: (object, key, receiver) => {
        if (!(key in object)) throw new Error(`The sandbox's ${name} has no ${String(key)}.`)
        const value: unknown = Reflect.get(object, key, receiver)
        return value
      },
    })
  const electron = strict('electron', { ipcRenderer: strict('ipcRenderer', ipcRenderer) })
  const module = { exports: {} }
  preload(
    module.exports,
    (name) => {
      if (name === 'electron') return electron
      throw new Error(`A sandboxed preload can't require ${name}.`)
    },
    module,
  )
}
