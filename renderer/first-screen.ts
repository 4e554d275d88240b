/**
 * Preloads the chart library for the Overview while everything else loads, because it is large; figures don't wait
 * for it. Imported first, without imports.
 */
export const overviewChart = () => import('./components/StackedArea.vue')

if (['', '#', '#/'].includes(location.hash.split('?')[0] ?? '')) void overviewChart()
