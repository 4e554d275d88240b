import { computed, shallowReactive, type ComputedRef, type WritableComputedRef } from 'vue'

/** What was typed and is not saved yet, by what it is about: kept while other screens are looked at, gone with the page. */
const drafts = shallowReactive(new Map<string, { readonly value: unknown; readonly base: unknown }>())

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

export interface Draft<T> {
  /** What is saved, until it is set to something else. */
  readonly draft: WritableComputedRef<T>
  readonly isChanged: ComputedRef<boolean>
  /** Whether what is saved is no longer what the draft was begun from: it was changed elsewhere. */
  readonly isOutdated: ComputedRef<boolean>
  /** From here on the draft counts as begun from what is saved now. */
  readonly rebase: () => void
  readonly discard: () => void
  /**
   * The draft as it is now, to be saved, and what to call once it is: by then another one may be looked at, or more
   * may have been typed into this one. Neither is lost.
   */
  readonly take: () => { readonly value: T; readonly wasSaved: () => void }
}

export const hasDraft = (key: string): boolean => drafts.has(key)

/** A draft of what is saved under a key; both may change while it is in use. */
export function useDraft<T>(key: () => string, saved: () => T): Draft<T> {
  const isChanged = computed(() => drafts.has(key()) && !isSame(drafts.get(key())?.value, saved()))
  const discard = (): void => void drafts.delete(key())
  return {
    draft: computed({
      // Under a key stands only what was put there by the drafts of that key.
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
