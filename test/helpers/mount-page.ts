import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { DOMWrapper, flushPromises, mount, type VueWrapper } from '@vue/test-utils'
import { afterEach, expect } from 'vitest'
import type { Component } from 'vue'
import { createMemoryHistory, createRouter, type Router } from 'vue-router'
import type { Engine } from '../../electron/engine/engine.ts'

const shown: VueWrapper[] = []
afterEach(() => {
  for (const each of shown.splice(0)) each.unmount()
  document.body.replaceChildren()
})

/** From now on pages in this process are those of the engine: its port is the one that the desktop app's window would get. */
export function showEngine(engine: Pick<Engine, 'serveScreens'>): void {
  const open = (_message: unknown, _origin: string, [port]: [MessagePort]): void => {
    void engine.serveScreens(port).then(() => port.start())
  }
  Object.assign(globalThis, { MessageChannel })
  Object.assign(window, { postMessage: open })
}

/** What a user sees, dialogs included. */
export const seen = (): string => (document.body.textContent ?? '').replaceAll(/\s+/g, ' ')
export const sees = (text: string | RegExp): Promise<void> => expect.poll(seen).toMatch(text)

/** The element with this text or label, once there is one that isn't disabled. */
export async function find(selector: string, label: string | RegExp): Promise<HTMLElement> {
  const fits = (text: string | null): boolean =>
    text !== null && (typeof label === 'string' ? text.trim() === label : label.test(text))
  const look = (): HTMLElement | undefined =>
    [...document.querySelectorAll<HTMLElement>(selector)].find(
      (each) =>
        !each.hasAttribute('disabled') && (fits(each.textContent) || fits(each.getAttribute('aria-label'))),
    )
  await expect.poll(look, { message: `${selector} with ${label}` }).toBeDefined()
  const found = look()
  if (!found) throw new Error(`${selector} with ${label} went away again.`)
  return found
}

export async function press(label: string | RegExp, selector = 'button'): Promise<void> {
  const button = await find(selector, label)
  button.click()
  await flushPromises()
}

/** Types into the field with this label. */
export async function type(label: string | RegExp, text: string): Promise<void> {
  const place = await find('label, input, textarea', label)
  const field = place.matches('label')
    ? (place.querySelector('input, textarea') ?? document.getElementById(place.getAttribute('for') ?? ''))
    : place
  if (!field) throw new Error(`The label ${label} has no field.`)
  const wrapped = new DOMWrapper(field)
  await wrapped.setValue(text)
  await wrapped.trigger('change')
  await flushPromises()
}

/** A page at an address below the route that the app's router has for it. */
export async function mountPage(
  page: Component,
  route: string,
  at: string,
  props: Record<string, unknown> = {},
): Promise<{ readonly router: Router; readonly page: VueWrapper }> {
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: route, component: page },
      { path: '/:elsewhere(.*)*', component: { template: '<p>elsewhere</p>' } },
    ],
  })
  await router.push(at)
  const mounted = mount(page, { props, global: { plugins: [router] }, attachTo: document.body })
  shown.push(mounted)
  await flushPromises()
  return { router, page: mounted }
}
