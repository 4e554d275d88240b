import { z } from 'zod'
import { httpUrl } from './http-url.ts'
import { KeyPlaceholder } from './key-placeholder.ts'

/** `use`: an endpoint instead of a local model. */
export const ENDPOINT = 'endpoint'

/** A larger value is a typing error. */
export const MOST_CONTEXT_TOKENS = 10_000_000

export const ModelEndpoint = z.strictObject({
  baseUrl: httpUrl('http://127.0.0.1:11434/v1').describe(
    'Of any OpenAI-compatible server, up to and with /v1; http://127.0.0.1:11434/v1 for Ollama.',
  ),
  model: z.string().min(1).describe("The server's name for the model."),
  apiKey: KeyPlaceholder.optional().describe(
    '${secret:NAME} or ${env:NAME}; left out, the key is the one given on the Models screen, if any.',
  ),
  contextTokens: z
    .int()
    .min(512)
    .max(MOST_CONTEXT_TOKENS)
    .optional()
    .describe('How much the model takes, prompt and answer together.'),
  masked: z
    .boolean()
    .default(true)
    .describe(
      'Whether personal data goes there as placeholders. To an address of this machine it goes unchanged.',
    ),
  retries: z.int().min(0).max(10).default(2).describe('How often it is asked again when it is overloaded.'),
  concurrency: z.int().min(1).max(64).default(2).describe('Questions at the same time.'),
  extra: z
    .record(z.string(), z.json())
    .default({})
    .describe("Laid over each request's body, for what only this server knows."),
})
export type ModelEndpoint = z.infer<typeof ModelEndpoint>

export const ModelSettings = z.strictObject({
  use: z
    .string()
    .min(1)
    .optional()
    .describe('The id of an installed model, or "endpoint". Left out, no model is used.'),
  endpoint: ModelEndpoint.optional().describe('A model elsewhere, or of another program on this machine.'),
  gpu: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe('auto: the graphics card where it works. off: the processor only.'),
  contextTokens: z
    .int()
    .min(1024)
    .max(MOST_CONTEXT_TOKENS)
    .default(4096)
    .describe('Room for prompt and answer of the local model; more of it takes more memory.'),
  idleMinutes: z.number().positive().default(5).describe('The local model is unloaded after this idle time.'),
  timeLimitSeconds: z
    .number()
    .positive()
    .default(10)
    .describe('How long anybody waits for a model; late means that the deterministic result goes out.'),
  downloadFrom: httpUrl('https://hf-mirror.example')
    .optional()
    .describe('A mirror of huggingface.co, or a server of your own with the same paths.'),
})
export type ModelSettings = z.infer<typeof ModelSettings>
