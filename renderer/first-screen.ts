/** Preloads the large chart library for the Overview; figures don't wait for it. Imported first, without imports. */
export const overviewChart = () => import('./components/StackedArea.vue')

if (['', '#', '#/'].includes(location.hash.split('?')[0] ?? '')) void overviewChart()
