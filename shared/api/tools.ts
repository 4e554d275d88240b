import { z } from 'zod'
import { ToolSettings } from '../settings.ts'
import { CompressionPolicy } from '../policy.ts'
import { Comparison } from './results.ts'
import { get, Nothing, patch, post, put } from './routes.ts'
import { Savings } from './savings.ts'

const Definition = z.record(z.string(), z.unknown())

/** A row of the list, without what is long; costs in o200k_base tokens. */
export const ToolSummary = z.object({
  server: z.string(),
  /** The server's name. */
  tool: z.string(),
  title: z.string().optional(),
  /** The beginning of what the model reads. */
  about: z.string(),
  /** waiting: new or changed, and blocked until approved. */
  approval: z.enum(['approved', 'waiting', 'denied']),
  isHidden: z.boolean(),
  /** Has settings of its own. */
  isEdited: z.boolean(),
  originalTokens: z.int(),
  shownTokens: z.int(),
  savings: Savings.pick({ calls: true, net: true }),
})
export type ToolSummary = z.infer<typeof ToolSummary>

/** Costs in o200k_base tokens. */
export const ToolStatus = ToolSummary.pick({
  server: true,
  tool: true,
  approval: true,
  originalTokens: true,
  shownTokens: true,
}).extend({
  original: Definition,
  shown: Definition.optional(),
  settings: ToolSettings,
  /** Misfits between settings and definition. */
  problems: z.array(
    z.object({ severity: z.enum(['error', 'warning']), path: z.string(), message: z.string() }),
  ),
  /** If models always wanted more of its results. */
  suggestion: z.object({ suggestion: z.string(), compression: CompressionPolicy.partial() }).optional(),
})
export type ToolStatus = z.infer<typeof ToolStatus>

/** Whole, in fewer words, or through three search tools. */
export const ListForm = z.enum(['whole', 'slim', 'lazy'])
export type ListForm = z.infer<typeof ListForm>

/** Per conversation, approved tools in each form, in o200k_base tokens. */
export const ServerToolList = z.object({
  server: z.string(),
  tools: z.int(),
  form: ListForm,
  tokens: z.object({ whole: z.int(), slim: z.int(), lazy: z.int() }),
  isLong: z.boolean(),
})
export type ServerToolList = z.infer<typeof ServerToolList>

const One = z.object({ server: z.string(), tool: z.string() })

export const ToolPreview = ToolStatus.pick({
  shown: true,
  shownTokens: true,
  originalTokens: true,
  problems: true,
})
export type ToolPreview = z.infer<typeof ToolPreview>

export const ToolTrial = z.object({
  /** In the ledger. Calls from screens aren't summed. */
  callId: z.string().optional(),
  ms: z.number(),
  isError: z.boolean(),
  /** For a model. */
  result: z.record(z.string(), z.unknown()),
  comparison: Comparison,
})
export type ToolTrial = z.infer<typeof ToolTrial>

export const toolsContract = {
  list: get('/tools', 'Every tool that was seen, hidden ones too; starts no server')
    .input(z.object({ server: z.string().optional() }))
    .output(z.array(ToolSummary)),
  search: get(
    '/tools/search',
    'The tools with a text in their definition: titles, descriptions, names of parameters',
  )
    .input(z.object({ text: z.string().min(1).max(1000) }))
    .output(z.array(One)),
  show: get(
    '/tools/{server}/{tool}',
    'A tool with its whole definition, as its server wrote it and as the model reads it',
  )
    .input(One)
    .output(ToolStatus),
  lists: get('/tools/lists', 'What each server’s list of tools costs, in each form')
    .input(z.object({ server: z.string().optional() }))
    .output(z.array(ServerToolList)),
  setList: put('/tools/lists/{server}', 'Choose the form of a server’s list')
    .input(z.object({ server: z.string(), form: ListForm }))
    .output(Nothing),
  count: post('/tools/count', 'Tokens (o200k_base) of a text')
    .input(z.object({ text: z.string().max(1_000_000) }))
    .output(z.object({ tokens: z.int() })),
  preview: post('/tools/preview', 'What the model would see with these settings; changes nothing')
    .input(One.extend({ settings: ToolSettings }))
    .output(ToolPreview),
  edit: patch('/tools/{server}/{tool}', 'Change its settings; null takes one out')
    .input(One.extend({ settings: z.object(nullable(ToolSettings.shape)).partial() }))
    .output(ToolPreview),
  hide: post('/tools/hide', 'Hide several tools from the clients, or show them')
    .input(z.object({ tools: z.array(One).min(1).max(10_000), hidden: z.boolean() }))
    /** Those whose setting changed. */
    .output(z.object({ changed: z.array(One) })),
  tryFolder: post(
    '/tools/try-folder',
    'Call the bundled server over a folder of this machine, without an app and without a trace in config.json',
  )
    .input(
      z.object({
        /** Default: the home folder. */
        folder: z.string().max(4000).optional(),
        /** Below it; default: the list of its files. */
        file: z.string().max(4000).optional(),
        goal: z.string().max(2000).optional(),
      }),
    )
    .output(ToolTrial.extend({ folder: z.string() })),
  try: post('/tools/{server}/{tool}/try', 'Call it through everything that a client’s call goes through')
    .input(
      One.extend({
        arguments: z.record(z.string(), z.unknown()).default({}),
        goal: z.string().max(2000).optional(),
      }),
    )
    .output(ToolTrial),
}

function nullable<Shape extends Record<string, z.ZodType>>(
  shape: Shape,
): { [Key in keyof Shape]: z.ZodNullable<Shape[Key]> } {
  // Object.fromEntries loses the keys' types.
  return Object.fromEntries(Object.entries(shape).map(([key, value]) => [key, value.nullable()])) as {
    [Key in keyof Shape]: z.ZodNullable<Shape[Key]>
  }
}
