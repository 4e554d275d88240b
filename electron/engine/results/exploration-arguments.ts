import { z } from 'zod'

/** Models read the descriptions every turn: each word costs. */
const source = {
  id: z.string().optional().describe('Result id, like r_7f3a9c'),
  tool: z.string().optional().describe('Or: tool to call now'),
  arguments: z.record(z.string(), z.unknown()).optional(),
}
const maxTokens = z.int().min(100).optional()
const offset = z.int().min(0).optional()

export const ExploreArguments = z.strictObject({
  ...source,
  path: z.string().optional().describe('Describe only this part, like $.items[*].user'),
  max_depth: z.int().min(1).max(20).optional(),
  max_tokens: maxTokens,
})

export const FilterArguments = z.strictObject({
  ...source,
  fields: z
    .array(z.string())
    .optional()
    .describe('JSONPath, like $.user.name, $.items[0:10].id, $..id, $.items[?@.amount > 10].id'),
  exclude: z.array(z.string()).optional(),
  offset,
  max_tokens: maxTokens,
})

export const SearchArguments = z.strictObject({
  ...source,
  pattern: z.string(),
  mode: z
    .enum(['regex', 'bm25', 'fuzzy', 'context'])
    .optional()
    .describe('bm25: words, ranked. context: whole paragraph or object'),
  ignore_case: z.boolean().optional(),
  context_lines: z.int().min(0).max(50).optional(),
  max_results: z.int().min(1).max(500).optional(),
  offset,
  max_tokens: maxTokens,
})

export const ReadArguments = z.strictObject({
  ...source,
  unit: z.enum(['lines', 'bytes', 'tokens']).optional(),
  offset: z.int().optional().describe('From 0; negative: from the end'),
  limit: z.int().min(1).optional(),
  max_tokens: maxTokens,
})

export const RunArguments = z.strictObject({
  ...source,
  code: z.string().describe('Last expression or return is the answer'),
  timeout_ms: z.int().min(1).max(30_000).optional(),
  offset,
  max_tokens: maxTokens,
})

export type ExplorationCall =
  | { readonly name: 'proxy_explore'; readonly args: z.infer<typeof ExploreArguments> }
  | { readonly name: 'proxy_filter'; readonly args: z.infer<typeof FilterArguments> }
  | { readonly name: 'proxy_search'; readonly args: z.infer<typeof SearchArguments> }
  | { readonly name: 'proxy_read'; readonly args: z.infer<typeof ReadArguments> }
  | { readonly name: 'proxy_run'; readonly args: z.infer<typeof RunArguments> }
