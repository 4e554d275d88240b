import { z } from 'zod'

export const httpUrl = (example: string): z.ZodURL =>
  z.url({
    protocol: /^https?$/,
    error: `Write an address that begins with http:// or https://, such as ${example}.`,
  })
