// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { createMemoryHistory, createRouter } from 'vue-router'
import App from '../../renderer/App.vue'

vi.mock('../../renderer/state/desktop.ts', () => ({ tellDesktopOfTheme: () => {} }))

const page = (name: string) => ({ template: `<p>${name}</p>` })

test('the small window has no frame, and the frame is back with the next screen', async () => {
  const router = createRouter({
    history: createMemoryHistory(),
    routes: [
      { path: '/', component: page('Overview') },
      { path: '/approve/:server', component: page('Decide') },
    ],
  })
  await router.push('/approve/files')
  const app = mount(App, {
    global: {
      plugins: [router],
      stubs: { AppFrame: { template: '<div class="frame"><slot /></div>' }, NoticeArea: true },
    },
  })
  await router.isReady()
  expect([app.text(), app.find('.frame').exists()]).toEqual(['Decide', false])
  await router.push('/')
  expect([app.text(), app.find('.frame').exists()]).toEqual(['Overview', true])
})
