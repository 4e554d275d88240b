import './access/link-code.ts'
import './first-screen.ts'
import { z } from 'zod'
import { createApp } from 'vue'
import './design/base.css'
import { enter } from './access/session.ts'
import { isInWindow } from './api.ts'
import App from './App.vue'
import { router } from './router.ts'
import { isOnline } from './state/live.ts'
import { followMissingScreens } from './state/missing-screen.ts'
import { useNotices } from './state/notices.ts'

// Otherwise zod tries to compile code, which the Content-Security-Policy forbids.
z.config({ jitless: true })

async function show(): Promise<void> {
  const entry = isInWindow ? undefined : await enter()
  if (entry?.kind === 'out') {
    const { default: AccessPage } = await import('./pages/AccessPage.vue')
    createApp(AccessPage, { ...entry }).mount('#app')
    return
  }
  followMissingScreens(router, {
    isOnline,
    notices: useNotices(),
    isReachable: () =>
      fetch(location.pathname, { cache: 'no-store' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    reload: (path) => {
      location.hash = path
      location.reload()
    },
    storage: sessionStorage,
    now: Date.now,
  })
  createApp(App).use(router).mount('#app')
}
void show()
