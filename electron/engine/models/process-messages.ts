import { z } from 'zod'

/** Engine and model process both validate messages; `id` pairs request and answer. */

const Id = z.int().nonnegative()

export const DeviceKind = z.enum(['cuda', 'vulkan', 'metal', 'cpu'])
export type DeviceKind = z.infer<typeof DeviceKind>

export const PromptFormat = z.enum(['qwen', 'chatml', 'template'])
export type PromptFormat = z.infer<typeof PromptFormat>

export const ToModelProcess = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('load'),
    id: Id,
    path: z.string(),
    /** In this order. */
    devices: z.array(DeviceKind).min(1),
    threads: z.int().positive(),
    contextTokens: z.int().positive(),
    promptFormat: PromptFormat,
  }),
  z.object({
    type: z.literal('complete'),
    id: Id,
    system: z.string(),
    prompt: z.string(),
    maxTokens: z.int().positive(),
    grammar: z
      .union([z.object({ jsonSchema: z.record(z.string(), z.json()) }), z.object({ gbnf: z.string() })])
      .optional(),
  }),
  z.object({ type: z.literal('cancel'), id: Id }),
  /** Measures each of these thread counts. */
  z.object({ type: z.literal('measure'), id: Id, threads: z.array(z.int().positive()).min(1) }),
])
export type ToModelProcess = z.infer<typeof ToModelProcess>

const Speed = z.object({
  threads: z.int().positive(),
  promptTokensPerSecond: z.number().positive(),
  outputTokensPerSecond: z.number().positive(),
})
export type Speed = z.infer<typeof Speed>

const Loaded = z.object({
  device: DeviceKind,
  /** Graphics card in use. */
  deviceName: z.string().optional(),
  /** With the reasons. */
  refused: z.array(z.object({ device: DeviceKind, reason: z.string() })),
  contextTokens: z.int(),
  ms: z.number(),
})
export type Loaded = z.infer<typeof Loaded>

const Completed = z.object({
  text: z.string(),
  promptTokens: z.int(),
  outputTokens: z.int(),
  isCut: z.boolean(),
  promptMs: z.number(),
  outputMs: z.number(),
})
export type Completed = z.infer<typeof Completed>

/** Bytes held by the process; on Linux without pages shared with the file cache. */
const memory = z.number()

export const FromModelProcess = z.discriminatedUnion('type', [
  z.object({ type: z.literal('loaded'), id: Id, memory, ...Loaded.shape }),
  z.object({ type: z.literal('completed'), id: Id, memory, ...Completed.shape }),
  z.object({ type: z.literal('measured'), id: Id, memory, speeds: z.array(Speed).min(1) }),
  z.object({
    type: z.literal('failed'),
    id: Id,
    memory,
    reason: z.enum(['cancelled', 'no-memory', 'bad-file', 'too-long', 'failed']),
    message: z.string(),
    /** If too long and counted. */
    promptTokens: z.int().positive().optional(),
  }),
])
export type FromModelProcess = z.infer<typeof FromModelProcess>
