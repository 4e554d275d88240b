import { expect, test } from 'vitest'
import { useQuestion } from '../../../renderer/state/question.ts'

/** Answers that the test resolves. */
function createAnswers() {
  const waiting: { resolve(text: string): void; reject(error: Error): void }[] = []
  const run = (_text: string) =>
    new Promise<string>((resolve, reject) => void waiting.push({ resolve, reject }))
  return { waiting, run }
}

test('holds the answer, and the reason where there is none, with the last good answer kept', async () => {
  const { waiting, run } = createAnswers()
  const { answer, failure, isBusy, ask } = useQuestion(run)
  const first = ask('a')
  expect(isBusy.value).toBe(true)
  waiting[0]?.resolve('yes')
  await first
  expect([answer.value, failure.value, isBusy.value]).toEqual(['yes', '', false])
  const second = ask('b')
  waiting[1]?.reject(new Error('The server is gone.'))
  await second
  expect([answer.value, failure.value, isBusy.value]).toEqual(['yes', 'The server is gone.', false])
})

test('an earlier answer that comes late is not shown, nor one after clear', async () => {
  const { waiting, run } = createAnswers()
  const { answer, isBusy, ask, clear } = useQuestion(run)
  const asked = [ask('a'), ask('b')]
  waiting[1]?.resolve('second')
  await asked[1]
  waiting[0]?.resolve('first')
  await asked[0]
  expect(answer.value).toBe('second')
  const late = ask('c')
  clear()
  expect(isBusy.value).toBe(false)
  waiting[2]?.resolve('third')
  await late
  expect(answer.value).toBeUndefined()
})
