import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as HappyDom from 'happy-dom'
import type { Environment } from 'vitest/runtime'

const names = [
  'document',
  'location',
  'Node',
  'Element',
  'HTMLElement',
  'HTMLInputElement',
  'HTMLTextAreaElement',
  'HTMLSelectElement',
  'HTMLAnchorElement',
  'SVGElement',
  'ShadowRoot',
  'Text',
  'Comment',
  'DocumentFragment',
  'MutationObserver',
  'ResizeObserver',
  'KeyboardEvent',
  'CustomEvent',
  'HashChangeEvent',
  'getComputedStyle',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'localStorage',
  'sessionStorage',
  'Document',
  'Storage',
  'StorageEvent',
  'matchMedia',
  'history',
  'NodeFilter',
  'DOMParser',
] as const

/**
 * What Vue needs of a page, in Node's own world: an engine in the same process keeps Node's events, signals and requests, which
 * vitest's happy-dom environment replaces.
 */
const environment: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  setup(global: typeof globalThis) {
    // Loaded by Node itself: vitest would evaluate it as one of our sources, without `require`.
    const { Window } = createRequire(join(process.cwd(), 'package.json'))('happy-dom') as typeof HappyDom
    const page = new Window({ url: 'http://page/?door=port' })
    const define = (name: string, value: unknown): void =>
      void Object.defineProperty(global, name, { value, configurable: true, writable: true })
    for (const name of names) {
      const value: unknown = page[name]
      define(name, typeof value === 'function' && /^[a-z]/.test(name) ? value.bind(page) : value)
    }
    define('window', page)
    return { teardown: () => page.happyDOM.close() }
  },
}

// vitest takes the default export.
// oxlint-disable-next-line import/no-default-export
export default environment
