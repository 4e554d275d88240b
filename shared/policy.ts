import { z } from 'zod'
import { BUILT_IN_GUARD_POLICY, GuardPolicy } from './guard-policy.ts'
import { DEFAULT_PERSONAL_DATA_TYPES, MaskingPolicy } from './masking-policy.ts'

/** Of the model's summary. */
export const SUMMARY_FORMS = ['with-extract', 'alone'] as const

export type SummaryForm = (typeof SUMMARY_FORMS)[number]

export const CompressionPolicy = z.strictObject({
  strategy: z
    .enum(['auto', 'deterministic', 'model', 'preview', 'off'])
    .describe(
      'auto: the way that is shown to pay, today always the deterministic one. deterministic: chosen from the content, never a model. model: words of the model that the Models screen or "sluice models" chose, on top of that. preview: the first tokens only. off: results pass as they are.',
    ),
  customInstructions: z
    .string()
    .max(2000, 'Use at most 2,000 characters: they are part of every question to the model.')
    .optional()
    .describe('For strategy model: what a summary of these results needs, in your words.'),
  summary: z
    .enum(SUMMARY_FORMS)
    .describe(
      "For strategy model. with-extract: the model's words in at most 15 % of the budget, then what the deterministic strategy picks. alone: the words only, for models that you trust.",
    ),
  tokenThreshold: z
    .int()
    .positive()
    .describe('Results with at most this many tokens (o200k_base) pass untouched.'),
  maxOutputTokens: z
    .int()
    .min(100)
    .describe('A shortened result has at most this many tokens, its header included.'),
  holdOut: z
    .int()
    .nonnegative()
    .refine((oneOf) => oneOf !== 1, 'With 1 each result would pass whole: set strategy to off for that.')
    .describe(
      'An experiment: one of N results passes whole, and both groups are compared on the Overview. 0: none.',
    ),
  goalParameter: z
    .enum(['auto', 'always', 'never'])
    .describe(
      'Adds the optional parameter _sluice_goal to the tool. auto: once its results have been large.',
    ),
  resources: z.boolean().describe('Whether resources/read results are shortened too.'),
  escalationSeconds: z
    .int()
    .nonnegative()
    .describe(
      'A call that is repeated with the same arguments within this time gets more of its result. 0: never.',
    ),
  escalationFactor: z
    .number()
    .min(1)
    .max(100)
    .describe('How much more: 2 gives twice maxOutputTokens to the second call, three times to the third.'),
})

export type CompressionPolicy = z.infer<typeof CompressionPolicy>

const CachePolicy = z.strictObject({
  enabled: z
    .boolean()
    .describe(
      'Whether a call that was made before may be answered with its result. Only for tools that only read.',
    ),
  readOnly: z
    .enum(['no', 'marked', 'yes'])
    .describe(
      'Whether a tool only reads. no: it may write, and is never answered from the cache. marked: where its server says so (readOnlyHint). yes: you say so; said of all tools, it leaves out those that say they write.',
    ),
  ttlSeconds: z.int().nonnegative().describe('How long a result is used again. 0: never.'),
  errors: z.boolean().describe('Whether results that report a failure are used again, too.'),
  shortened: z
    .boolean()
    .describe('Whether the same result for a goal that means the same is shortened once and used again.'),
  repeats: z
    .boolean()
    .describe(
      'Whether a result that the model has had since the last prompt comes as a reference to that, or as what has changed. Only where the hooks of the app tell what the model has.',
    ),
})

type CachePolicy = z.infer<typeof CachePolicy>

const ToolListPolicy = z.strictObject({
  schemas: z
    .enum(['auto', 'as-is', 'plain'])
    .describe(
      'Input schemas. as-is: as the server has them. plain: without what strict clients refuse, with every parameter. auto: plain for AI apps that are known to drop tools otherwise.',
    ),
  slim: z
    .boolean()
    .describe('Whether descriptions and input schemas are written shorter, without losing what they say.'),
  lazy: z
    .boolean()
    .describe(
      "Whether the model sees find_tool, describe_tool and call_tool in place of the server's tools. For servers with many.",
    ),
})

type ToolListPolicy = z.infer<typeof ToolListPolicy>

export const BUILT_IN_POLICY = {
  compression: {
    strategy: 'auto',
    summary: 'with-extract',
    tokenThreshold: 2000,
    maxOutputTokens: 1000,
    holdOut: 0,
    goalParameter: 'auto',
    resources: true,
    escalationSeconds: 60,
    escalationFactor: 2,
  },
  cache: { enabled: false, readOnly: 'no', ttlSeconds: 300, errors: false, shortened: true, repeats: true },
  guard: BUILT_IN_GUARD_POLICY,
  masking: { direction: 'off', types: DEFAULT_PERSONAL_DATA_TYPES, customPatterns: {} },
  toolList: { schemas: 'auto', slim: false, lazy: false },
} as const satisfies Policy

/** Merged: built-in → global → server → tool. */
export interface Policy {
  readonly compression: CompressionPolicy
  readonly cache: CachePolicy
  readonly guard: GuardPolicy
  readonly masking: MaskingPolicy
  readonly toolList: ToolListPolicy
}

export const policyOverrides = {
  compression: CompressionPolicy.partial().optional().describe('How large results are shortened.'),
  cache: CachePolicy.partial().optional().describe('Results that are used again.'),
  guard: GuardPolicy.partial().optional().describe('What happens to texts that attack the model.'),
  masking: MaskingPolicy.partial().optional().describe('Placeholders in place of personal data.'),
}

export const toolList = ToolListPolicy.partial().optional().describe('How the tools of a server are listed.')
