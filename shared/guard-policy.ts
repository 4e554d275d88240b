import { z } from 'zod'
import { httpUrl } from './http-url.ts'
import { KeyPlaceholder } from './key-placeholder.ts'

export const GuardPolicy = z.strictObject({
  results: z
    .enum(['off', 'warn', 'mark', 'quarantine'])
    .describe(
      'Results, resources and prompts. quarantine: held until you release them. mark: they pass with a note for the model that they are data. warn: only noted.',
    ),
  arguments: z
    .enum(['off', 'warn', 'refuse'])
    .describe('What the model sends to a server. refuse: the call is not made.'),
  threshold: z.number().min(0).max(1).describe('From which score, 0 to 1, a text counts as an attack.'),
  markFrom: z
    .number()
    .min(0)
    .max(1)
    .describe(
      'From which score, 0 to 1, a text that passes has a note for the model: that it is data and no order. 1: never.',
    ),
  flow: z
    .enum(['off', 'warn', 'ask'])
    .describe(
      'Text that one server returned in the arguments of a call that may write or send, to another, and keys or passwords there that neither the user nor the called server had named. warn: Activity says so. ask: the user is asked, where the client can ask; else the call is not made.',
    ),
  controlCharacters: z
    .enum(['strip', 'visualise', 'keep'])
    .describe(
      'What hides text from its reader: terminal sequences that erase or conceal, reversed reading order, hidden letters. A note says what was changed, and the original is kept.',
    ),
})
export type GuardPolicy = z.infer<typeof GuardPolicy>

export const BUILT_IN_GUARD_POLICY: GuardPolicy = {
  results: 'quarantine',
  arguments: 'warn',
  threshold: 0.5,
  markFrom: 0.35,
  flow: 'warn',
  controlCharacters: 'strip',
}

/** Texts are masked for it. */
export const GuardDetector = z.discriminatedUnion('type', [
  z.strictObject({
    type: z
      .literal('http')
      .describe('POST {text} as JSON; the answer is {findings: [{score, reason, start?, end?}]}.'),
    name: z.string().min(1),
    url: httpUrl('http://127.0.0.1:8080/detect'),
    headers: z.record(z.string(), z.string()).optional(),
    timeoutMs: z.int().positive().default(2000),
  }),
  z.strictObject({
    type: z.literal('model').describe('Any OpenAI-compatible model as a judge.'),
    name: z.string().min(1),
    baseUrl: httpUrl('http://127.0.0.1:11434/v1').describe('Up to and with /v1.'),
    model: z.string().min(1),
    apiKey: KeyPlaceholder.optional(),
    timeoutMs: z.int().positive().default(10_000),
  }),
])
export type GuardDetector = z.infer<typeof GuardDetector>
