import { z } from 'zod'

/** Names of servers: they become part of tool names and of URLs. Double underscores separate server and tool. */
export const ServerId = z
  .string()
  .regex(
    /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_))*$/,
    'Use letters, digits, ".", "-" and single "_", starting with a letter or digit.',
  )
  .max(40)

export const CompressionPolicy = z.strictObject({
  strategy: z
    .enum(['auto', 'preview', 'off'])
    .describe(
      'auto: chosen from the content. preview: the first tokens only. off: results pass as they are.',
    ),
  tokenThreshold: z
    .int()
    .positive()
    .describe('Results with at most this many tokens (o200k_base) pass untouched.'),
  maxOutputTokens: z
    .int()
    .min(100)
    .describe('A shortened result has at most this many tokens, its header included.'),
  goalParameter: z
    .enum(['auto', 'always', 'never'])
    .describe(
      'Adds the optional parameter _sluice_goal to the tool. auto: once its results have been large.',
    ),
  resources: z.boolean().describe('Whether resources/read results are shortened too.'),
})
export type CompressionPolicy = z.infer<typeof CompressionPolicy>

export const CachePolicy = z.strictObject({
  enabled: z.boolean(),
  ttlSeconds: z.int().nonnegative(),
})

export const MaskingPolicy = z.strictObject({
  direction: z.enum(['off', 'from-server', 'from-model']),
})

export const BUILT_IN_POLICY = {
  compression: {
    strategy: 'auto',
    tokenThreshold: 2000,
    maxOutputTokens: 1000,
    goalParameter: 'auto',
    resources: true,
  },
  cache: { enabled: false, ttlSeconds: 300 },
  masking: { direction: 'off' },
} as const satisfies Policy

/** A complete policy, after built-in → global → server → tool have been laid over each other. */
export interface Policy {
  readonly compression: CompressionPolicy
  readonly cache: z.infer<typeof CachePolicy>
  readonly masking: z.infer<typeof MaskingPolicy>
}

const policyOverrides = {
  compression: CompressionPolicy.partial().optional(),
  cache: CachePolicy.partial().optional(),
  masking: MaskingPolicy.partial().optional(),
}

export const ToolSettings = z.strictObject({
  hidden: z.boolean().optional().describe('Not listed, and refused when called.'),
  description: z.string().optional().describe("Replaces the tool's own description."),
  hideParameters: z
    .array(z.string())
    .optional()
    .describe('Parameters the model does not see; dotted paths reach nested ones.'),
  parameterOverrides: z
    .record(z.string(), z.json())
    .optional()
    .describe('Values that always take the place of what the model sent; keys are dotted paths.'),
  ...policyOverrides,
})
export type ToolSettings = z.infer<typeof ToolSettings>

export const ServerSettings = z.strictObject({
  type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  cwd: z.string().optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  disabled: z.boolean().optional(),
  timeoutSeconds: z
    .number()
    .positive()
    .optional()
    .describe('Time without an answer or progress after which a call is given up.'),
  tools: z.record(z.string(), ToolSettings).optional(),
  ...policyOverrides,
})
export type ServerSettings = z.infer<typeof ServerSettings>

export const Settings = z.strictObject({
  $schema: z.string().optional(),
  servers: z.record(ServerId, ServerSettings).default({}),
  ...policyOverrides,
  results: z
    .strictObject({
      ttlHours: z.number().positive().default(24).describe('How long originals are kept.'),
      maxBytes: z
        .int()
        .positive()
        .default(1_000_000_000)
        .describe('Size of all kept originals together, compressed.'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxMessageBytes: z
        .int()
        .min(1_000_000)
        .default(256_000_000)
        .describe('A larger message from a server fails that one call.'),
    })
    .prefault({}),
  http: z
    .strictObject({
      port: z.int().min(0).max(65535).default(7424).describe('Loopback port of /mcp and of the screens.'),
    })
    .prefault({}),
  logLevel: z.enum(['error', 'warn', 'info', 'debug']).default('info'),
})
export type Settings = z.infer<typeof Settings>

/** Everything that settings say about one tool. */
export interface ToolPolicy extends Policy {
  readonly hidden: boolean
  readonly description: string | undefined
  readonly hideParameters: readonly string[]
  readonly parameterOverrides: Readonly<Record<string, unknown>>
}
