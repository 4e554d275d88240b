/**
 * Fetches the charts' library where the Overview is asked for, while everything else is still being read. It is large: the
 * figures are asked for, and stand there, while it loads. Imported first, and imports nothing itself.
 */
export const overviewChart = () => import('./components/StackedArea.vue')

if (['', '#', '#/'].includes(location.hash.split('?')[0] ?? '')) void overviewChart()
