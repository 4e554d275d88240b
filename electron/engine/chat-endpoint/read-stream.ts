import { createParser } from 'eventsource-parser'
import { z } from 'zod'
import { ChatError, answerOf, asSentence, type ChatAnswer, type ReceivedChat } from './chat-answer.ts'

const Piece = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z.looseObject({ content: z.string().nullable().optional() }).optional(),
        finish_reason: z.string().nullable().optional(),
      }),
    )
    .default([]),
  usage: z
    .looseObject({ prompt_tokens: z.number().optional(), completion_tokens: z.number().optional() })
    .nullish(),
  error: z.union([z.string(), z.looseObject({ message: z.string() })]).optional(),
})

/** Stops an endless answer: tokens average fewer characters. */
const CHARACTERS_PER_TOKEN = 40
const SLACK_CHARACTERS = 20_000

export async function readStream(
  response: Response,
  { start, maxTokens }: { start: number; maxTokens: number },
): Promise<ChatAnswer> {
  let received: ReceivedChat = { text: '', finish: undefined, usage: undefined }
  let firstMs: number | undefined
  let isDone = false
  let characters = 0
  const most = maxTokens * CHARACTERS_PER_TOKEN + SLACK_CHARACTERS

  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === '[DONE]') {
        isDone = true
        return
      }
      const { choices, usage, error } = Piece.parse(JSON.parse(data))
      if (error !== undefined) {
        throw new ChatError(
          'refused',
          asSentence(`It broke off: ${typeof error === 'string' ? error : error.message}`),
        )
      }
      const piece = choices[0]
      const text = piece?.delta?.content ?? ''
      if (text !== '') firstMs ??= performance.now() - start
      received = {
        text: received.text + text,
        finish: piece?.finish_reason ?? received.finish,
        usage: usage ?? received.usage,
      }
    },
  })
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    const text = decoder.decode(chunk, { stream: true })
    characters += text.length
    parser.feed(text)
    // The framing is ten times as long as each piece.
    if (isDone || received.text.length > most || characters > most * 20) break
  }
  if (!isDone && received.finish === undefined) {
    throw new ChatError('cut', 'Its stream ended before it said that it was done.')
  }
  return answerOf(received, firstMs ?? performance.now() - start)
}
