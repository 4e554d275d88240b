import { z } from 'zod'

/** An address of a server; what is none is refused in words that say what one looks like. */
export const httpUrl = (example: string): z.ZodURL =>
  z.url({
    protocol: /^https?$/,
    error: `Write an address that begins with http:// or https://, such as ${example}.`,
  })
