import { z } from 'zod'

/** Keys don't belong in config.json. */
export const KeyPlaceholder = z
  .string()
  .regex(
    /^\$\{(?:env|secret):[^}]+\}$/,
    'Write ${secret:NAME} (`sluice secrets set NAME` keeps the key) or ${env:NAME} here: keys don’t belong into this file.',
  )
  .describe('${secret:NAME} for a kept secret, or ${env:NAME}; never the key itself.')
