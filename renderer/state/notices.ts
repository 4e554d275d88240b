import { readonly, shallowRef } from 'vue'
import { errorText } from '../format/error-text.ts'

interface Undo {
  readonly label: string
  run(): Promise<void>
}

export interface Notice {
  readonly id: number
  readonly title: string
  readonly kind: 'done' | 'failed'
  readonly description?: string
  readonly undo?: Undo
}

/** Older ones are dropped, and those that say the same without offering an undo. */
const MOST = 5
const notices = shallowRef<readonly Notice[]>([])
let last = 0

/** Oldest first. */
export const shownNotices = readonly(notices)

const add = (notice: Omit<Notice, 'id'>): void => {
  const others = notices.value.filter(({ title, undo }) => title !== notice.title || undo)
  notices.value = [...others, { id: ++last, ...notice }].slice(-MOST)
}

const failed = (title: string, error: unknown): void =>
  add({ title, kind: 'failed', description: errorText(error) })

export function removeNotice(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id)
}

export const runUndo = (undo: Undo): void =>
  void undo.run().catch((error: unknown) => failed(`${undo.label} did not work`, error))

const done = (title: string, undo?: Undo): void => add({ title, kind: 'done', ...(undo && { undo }) })

/** Says what failed, if it does. */
async function attempt(title: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    failed(title, error)
    return false
  }
}

export const useNotices = () => ({ done, failed, attempt })

export type Notices = ReturnType<typeof useNotices>
