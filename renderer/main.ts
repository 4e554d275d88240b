import { z } from 'zod'
import { createApp } from 'vue'
import './style.css'
import OverviewPage from './pages/OverviewPage.vue'

// zod otherwise tries whether it may compile code, which the page's Content-Security-Policy forbids.
z.config({ jitless: true })

createApp(OverviewPage).mount('#app')
