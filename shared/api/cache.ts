import { z } from 'zod'
import { get, remove } from './routes.ts'

/** Stored bytes, Unix milliseconds. */
const CachedTool = z.object({
  server: z.string(),
  tool: z.string(),
  /** result: the server's answer. form: its shortened form. */
  level: z.enum(['result', 'form']),
  entries: z.int(),
  bytes: z.int(),
  /** Of existing entries. */
  hits: z.int(),
  youngest: z.number(),
})
export type CachedTool = z.infer<typeof CachedTool>

const CacheStatus = z.object({
  entries: z.int(),
  bytes: z.int(),
  maxEntries: z.int(),
  maxBytes: z.int(),
  tools: z.array(CachedTool),
})

export const cacheContract = {
  list: get('/cache', 'What the cache keeps, by server and tool')
    .input(z.object({ server: z.string().optional() }))
    .output(CacheStatus),
  clear: remove('/cache', 'Forget cached results and forms: all, or of one server')
    .input(z.object({ server: z.string().optional() }))
    .output(z.object({ cleared: z.int() })),
}
