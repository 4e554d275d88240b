import { oc } from '@orpc/contract'
import { z } from 'zod'

/** Of an app's own tools: its hooks in, or out again. */
const HooksRequest = z.object({
  client: z.string(),
  undo: z.boolean(),
  /** Also for tools that another product's hook has. */
  insists: z.boolean().default(false),
})

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
  preview: oc
    .route({ method: 'POST', path: '/built-in/preview', summary: "What an app's hooks would change" })
    .input(HooksRequest)
    .output(HooksPreview),
  change: oc
    .route({ method: 'POST', path: '/built-in/change', summary: 'Make the change of a preview' })
    .input(HooksRequest.extend({ hash: z.string(), resultHash: z.string() }))
    .output(z.object({ path: z.string() })),
  switchOn: oc
    .route({
      method: 'POST',
      path: '/built-in/switch-on',
      summary: "Answer an app's tool again, after the app dropped two answers in a row",
    })
    .input(z.object({ client: z.string(), tool: z.string() }))
    .output(z.object({})),
}
