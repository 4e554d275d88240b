import { useEventListener, useResizeObserver } from '@vueuse/core'
import { computed, onMounted, ref, shallowRef, type Ref } from 'vue'

/** Rendered beyond the edges, so that a quick scroll or a Tab finds rows. */
const MARGIN = 10
/** Before the height is known. */
const ASSUMED_HEIGHT = 1_200

/**
 * The rows of a long table that are in sight, and the heights in pixels of those above and below. The element that
 * scrolls is the closest `.list` around `body`.
 */
export function useRowWindow(body: Ref<HTMLElement | null>, count: Ref<number>, rowHeight: number) {
  const scroller = shallowRef<HTMLElement | null>(null)
  const top = ref(0)
  const height = ref(ASSUMED_HEIGHT)
  const measure = (): void => {
    if (!scroller.value || !body.value) return
    top.value = scroller.value.getBoundingClientRect().top - body.value.getBoundingClientRect().top
    height.value = scroller.value.clientHeight || ASSUMED_HEIGHT
  }
  onMounted(() => {
    scroller.value = body.value?.closest<HTMLElement>('.list') ?? null
    measure()
  })
  useEventListener(scroller, 'scroll', measure, { passive: true })
  useResizeObserver(scroller, measure)
  const first = computed(() =>
    Math.min(Math.max(0, Math.floor(top.value / rowHeight) - MARGIN), Math.max(0, count.value - 1)),
  )
  const last = computed(() =>
    Math.min(count.value, Math.ceil((top.value + height.value) / rowHeight) + MARGIN),
  )
  return {
    first,
    last,
    above: computed(() => first.value * rowHeight),
    below: computed(() => (count.value - last.value) * rowHeight),
    /** Also where the row isn't rendered. */
    reveal: (index: number): void => {
      if (!scroller.value || index < 0) return
      // A scroll or another size may not have been announced yet.
      measure()
      const at = index * rowHeight
      if (at < top.value || at + rowHeight > top.value + height.value)
        scroller.value.scrollTop += at - top.value - height.value / 2
    },
  }
}
