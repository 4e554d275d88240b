import { z } from 'zod'

export const ProfileName = z
  .string()
  .max(60, 'Use at most 60 characters.')
  .regex(/^[A-Za-z0-9][\w.-]*$/, 'Use letters, digits, "-", "." and "_", starting with a letter or digit.')

export const ProfileSettings = z.strictObject({
  servers: z.array(z.string().min(1)).default([]).describe('Ids of the servers that it lists.'),
  clients: z
    .array(z.string().min(1).max(200))
    .optional()
    .describe('AI apps that get it without asking, by the names under which Activity lists them.'),
  folders: z
    .array(z.string().min(1))
    .optional()
    .describe('AI apps that run in one of these folders, or below, get it without asking.'),
})
export type ProfileSettings = z.infer<typeof ProfileSettings>
