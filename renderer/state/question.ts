import { ref, shallowRef, type Ref } from 'vue'
import { errorText } from '../format/error-text.ts'

export interface Question<Input extends readonly unknown[], Answer> {
  readonly answer: Readonly<Ref<Answer | undefined>>
  readonly failure: Readonly<Ref<string>>
  readonly isBusy: Readonly<Ref<boolean>>
  readonly ask: (...input: Input) => Promise<void>
  /** A pending answer isn't shown. */
  readonly clear: () => void
}

/** By button. */
export function useQuestion<Input extends readonly unknown[], Answer>(
  run: (...input: Input) => Promise<Answer>,
): Question<Input, Answer> {
  const answer = shallowRef<Answer>()
  const failure = ref('')
  const isBusy = ref(false)
  let latest = 0
  const clear = (): void => {
    latest++
    answer.value = undefined
    failure.value = ''
    isBusy.value = false
  }
  return {
    answer,
    failure,
    isBusy,
    clear,
    ask: async (...input) => {
      const mine = ++latest
      isBusy.value = true
      failure.value = ''
      try {
        const got = await run(...input)
        if (mine === latest) answer.value = got
      } catch (error) {
        if (mine === latest) failure.value = errorText(error)
      } finally {
        if (mine === latest) isBusy.value = false
      }
    },
  }
}
