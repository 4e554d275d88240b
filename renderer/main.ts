import './access/link-code.ts'
import './first-screen.ts'
import icons from '@nuxt/ui/runtime/vue/plugins/icons.js'
import { z } from 'zod'
import { createApp } from 'vue'
import './design/base.css'
import { enter } from './access/session.ts'
import { isInWindow } from './api.ts'
import App from './App.vue'
import { router } from './router.ts'

// zod otherwise tries whether it may compile code, which the page's Content-Security-Policy forbids.
z.config({ jitless: true })

async function show(): Promise<void> {
  const entry = isInWindow ? undefined : await enter()
  if (entry?.kind === 'out') {
    const { default: AccessPage } = await import('./pages/AccessPage.vue')
    createApp(AccessPage, { ...entry })
      .use(icons)
      .mount('#app')
    return
  }
  // Of the library's plugins only the icons: colours are design/tokens.css, and the others are for what no screen uses.
  createApp(App).use(router).use(icons).mount('#app')
}
void show()
