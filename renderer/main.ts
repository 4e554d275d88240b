import ui from '@nuxt/ui/vue-plugin'
import { z } from 'zod'
import { createApp } from 'vue'
import './design/base.css'
import App from './App.vue'
import { router } from './router.ts'

// zod otherwise tries whether it may compile code, which the page's Content-Security-Policy forbids.
z.config({ jitless: true })

createApp(App).use(router).use(ui).mount('#app')
