import { createRouter, createWebHashHistory } from 'vue-router'
import { allSections } from './frame/sections.ts'
import OverviewPage from './pages/OverviewPage.vue'
import { isFirstStart } from './state/first-start.ts'

/** Every screen state has an address: selection in the path, filters in the query. */
export const router = createRouter({
  // The same files work from engine and disk.
  history: createWebHashHistory(),
  routes: [
    { path: '/', component: OverviewPage },
    { path: '/activity/:id?', component: () => import('./pages/ActivityPage.vue') },
    { path: '/results/:id?', component: () => import('./pages/ResultsPage.vue') },
    { path: '/replay/:id?', component: () => import('./pages/ReplayPage.vue') },
    { path: '/servers/:server?', component: () => import('./pages/ServersPage.vue') },
    { path: '/tools/:server?/:tool?', component: () => import('./pages/ToolsPage.vue') },
    { path: '/clients', component: () => import('./pages/ClientsPage.vue') },
    { path: '/approvals', component: () => import('./pages/ApprovalsPage.vue') },
    { path: '/quarantine/:id?', component: () => import('./pages/QuarantinePage.vue') },
    { path: '/models', component: () => import('./pages/ModelsPage.vue') },
    { path: '/settings', component: () => import('./pages/SettingsPage.vue') },
    { path: '/logs', component: () => import('./pages/LogsPage.vue') },
    { path: '/guide/:page?', component: () => import('./pages/GuidePage.vue') },
    { path: '/start', component: () => import('./pages/StartPage.vue') },
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
    to.path === '/start'
      ? 'Welcome · Sluice'
      : to.path.startsWith('/guide')
        ? 'Guide · Sluice'
        : section
          ? `${section.label} · Sluice`
          : 'Sluice'
})

// The router listens only after the first screen. Earlier navigation (a notification click during start) changes the
// address but not the screen, and the router may overwrite it: the target comes from the event.
let early: string | undefined
const note = ({ newURL }: HashChangeEvent): void => void (early = new URL(newURL).hash.slice(1))
window.addEventListener('hashchange', note)
const followEarlyMove = async (): Promise<void> => {
  await router.isReady()
  // A preceding navigation is reported as a separate task.
  await new Promise((resolve) => setTimeout(resolve, 50))
  window.removeEventListener('hashchange', note)
  if (early !== undefined && early !== router.currentRoute.value.fullPath) await router.replace(early)
}
void followEarlyMove()
