import './access/link-code.ts'
import './first-screen.ts'
import { z } from 'zod'
import { createApp } from 'vue'
import './design/base.css'
import { enter } from './access/session.ts'
import { isInWindow } from './api.ts'
import App from './App.vue'
import { router } from './router.ts'

// Otherwise zod tries to compile code, which the Content-Security-Policy forbids.
z.config({ jitless: true })

async function show(): Promise<void> {
  const entry = isInWindow ? undefined : await enter()
  if (entry?.kind === 'out') {
    const { default: AccessPage } = await import('./pages/AccessPage.vue')
    createApp(AccessPage, { ...entry }).mount('#app')
    return
  }
  createApp(App).use(router).mount('#app')
}
void show()
