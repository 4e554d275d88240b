import './first-screen.ts'
import icons from '@nuxt/ui/runtime/vue/plugins/icons.js'
import { z } from 'zod'
import { createApp } from 'vue'
import './design/base.css'
import App from './App.vue'
import { router } from './router.ts'

// zod otherwise tries whether it may compile code, which the page's Content-Security-Policy forbids.
z.config({ jitless: true })

// Of the library's plugins only the icons: colours are design/tokens.css, and the others are for what no screen uses.
createApp(App).use(router).use(icons).mount('#app')
