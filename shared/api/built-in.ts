import { z } from 'zod'
import { Nothing, post } from './routes.ts'

/** Of an app's own tools: its hooks in, or out again. */
const HooksRequest = z.object({
  client: z.string(),
  undo: z.boolean(),
  /** Also for tools that another product's hook has. */
  insists: z.boolean().default(false),
})
export type HooksRequest = z.infer<typeof HooksRequest>

export const HooksPreview = z.object({
  label: z.string(),
  path: z.string(),
  tools: z.array(z.string()),
  /** By the words of the other hook; left out unless `insists`. */
  taken: z.array(z.object({ tool: z.string(), by: z.string() })),
  remarks: z.array(z.string()),
  /** With which agents read kept originals without a question; for the user to add. */
  rules: z.array(z.string()),
  isChange: z.boolean(),
  /** Undoing: the file gets the bytes from before. */
  isExact: z.boolean(),
  diff: z.string(),
  hash: z.string(),
  resultHash: z.string(),
})
export type HooksPreview = z.infer<typeof HooksPreview>

export const builtInContract = {
  preview: post('/built-in/preview', "What an app's hooks would change")
    .input(HooksRequest)
    .output(HooksPreview),
  change: post('/built-in/change', 'Make the change of a preview')
    .input(HooksRequest.extend({ hash: z.string(), resultHash: z.string() }))
    .output(z.object({ path: z.string() })),
  switchOn: post(
    '/built-in/switch-on',
    "Answer an app's tool again, after the app dropped two answers in a row",
  )
    .input(z.object({ client: z.string(), tool: z.string() }))
    .output(Nothing),
}
