import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { vi } from 'vitest'
import type { Engine } from '../../electron/engine/engine.ts'

/**
 * What renderer/state needs of a page, with a real engine: its port is that of the desktop window. Import those
 * modules afterwards and dynamically: they open the port on loading.
 */
export function becomePageOf(engine: Engine): { setVisibility(state: 'visible' | 'hidden'): void } {
  let visibilityState = 'visible'
  const document = Object.defineProperty(new EventTarget(), 'visibilityState', { get: () => visibilityState })
  vi.stubGlobal('MessageChannel', MessageChannel)
  vi.stubGlobal('location', { search: '?door=port', origin: 'http://page' })
  vi.stubGlobal('document', document)
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw, 5))
  vi.stubGlobal('window', {
    postMessage: (_message: string, _origin: string, [port]: [MessagePort]) => {
      void engine.serveScreens(port).then(() => port.start())
    },
  })
  return {
    setVisibility: (state) => {
      visibilityState = state
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}
