import { computed, shallowReactive, type ComputedRef, type WritableComputedRef } from 'vue'

/** By subject; survives screen changes, not the page. */
const drafts = shallowReactive(new Map<string, { readonly value: unknown; readonly base: unknown }>())

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export interface Draft<T> {
  /** The saved value until changed. */
  readonly draft: WritableComputedRef<T>
  readonly isChanged: ComputedRef<boolean>
  readonly isOutdated: ComputedRef<boolean>
  readonly rebase: () => void
  readonly discard: () => void
  /** Meanwhile another draft may be open or more typed; neither is lost. */
  readonly take: () => { readonly value: T; readonly wasSaved: () => void }
}

export const hasDraft = (key: string): boolean => drafts.has(key)

/** Key and saved value may change. */
export function useDraft<T>(key: () => string, saved: () => T): Draft<T> {
  const isChanged = computed(() => drafts.has(key()) && !isSame(drafts.get(key())?.value, saved()))
  const discard = (): void => void drafts.delete(key())
  return {
    draft: computed({
      // A key only holds its own drafts' values.
      get: () => (isChanged.value ? (drafts.get(key())?.value as T) : saved()),
      set: (value) => {
        if (isSame(value, saved())) discard()
        else drafts.set(key(), { value, base: drafts.get(key())?.base ?? saved() })
      },
    }),
    isChanged,
    isOutdated: computed(() => isChanged.value && !isSame(drafts.get(key())?.base, saved())),
    rebase: () => {
      const entry = drafts.get(key())
      if (entry) drafts.set(key(), { ...entry, base: saved() })
    },
    discard,
    take: () => {
      const [taken, value] = [key(), isChanged.value ? (drafts.get(key())?.value as T) : saved()]
      return {
        value,
        wasSaved: () => {
          const now = drafts.get(taken)
          if (!now) return
          if (isSame(now.value, value)) drafts.delete(taken)
          else drafts.set(taken, { ...now, base: value })
        },
      }
    },
  }
}
