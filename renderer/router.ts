import { createRouter, createWebHashHistory } from 'vue-router'
import { allSections } from './frame/sections.ts'
import OverviewPage from './pages/OverviewPage.vue'
import { isFirstStart } from './state/first-start.ts'

/** Every state of a screen has an address: what is chosen in the path, how a list is filtered in the query. */
export const router = createRouter({
  // The part behind the # never leaves the page, so the same files work from the engine and from a window's disk.
  history: createWebHashHistory(),
  routes: [
    { path: '/', component: OverviewPage },
    { path: '/activity/:id?', component: () => import('./pages/ActivityPage.vue') },
    { path: '/results/:id?', component: () => import('./pages/ResultsPage.vue') },
    { path: '/servers/:server?', component: () => import('./pages/ServersPage.vue') },
    { path: '/tools/:server?/:tool?', component: () => import('./pages/ToolsPage.vue') },
    { path: '/clients', component: () => import('./pages/ClientsPage.vue') },
    { path: '/approvals', component: () => import('./pages/ApprovalsPage.vue') },
    { path: '/quarantine/:id?', component: () => import('./pages/QuarantinePage.vue') },
    { path: '/models', component: () => import('./pages/ModelsPage.vue') },
    { path: '/settings', component: () => import('./pages/SettingsPage.vue') },
    { path: '/logs', component: () => import('./pages/LogsPage.vue') },
    { path: '/start', component: () => import('./pages/StartPage.vue') },
    // The desktop app's small window about one server.
    { path: '/approve/:server', component: () => import('./pages/ApproveWindow.vue') },
    { path: '/:unknown(.*)', redirect: '/' },
  ],
})

let isAsked = false
router.beforeEach(async (to) => {
  if (isAsked || to.path !== '/') return true
  isAsked = true
  return (await isFirstStart().catch(() => false)) ? '/start' : true
})

router.afterEach((to) => {
  const section = allSections.findLast(({ path }) => path === to.path || to.path.startsWith(`${path}/`))
  document.title =
    to.path === '/start' ? 'Welcome · Sluice' : section ? `${section.label} · Sluice` : 'Sluice'
})

// The router listens once its first screen is there. What leads elsewhere before that (a click on a notification, while the
// window still opens) would be lost: the address would change, and the screen not. The router may even have written its first
// address over it by the time the browser tells of the move, so where it led is taken from what is told.
let early: string | undefined
const note = ({ newURL }: HashChangeEvent): void => void (early = new URL(newURL).hash.slice(1))
window.addEventListener('hashchange', note)
const followEarlyMove = async (): Promise<void> => {
  await router.isReady()
  // A move made just before is told as a task of its own.
  await new Promise((resolve) => setTimeout(resolve, 50))
  window.removeEventListener('hashchange', note)
  if (early !== undefined && early !== router.currentRoute.value.fullPath) await router.replace(early)
}
void followEarlyMove()
