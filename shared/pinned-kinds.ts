/**
 * Approved by the user. `server`: its launch with the resolved package; `variables`: values of its variables and
 * headers; `introduction`: name, title, capabilities unknown to the protocol.
 */
export const PINNED_KINDS = [
  'server',
  'variables',
  'introduction',
  'instructions',
  'tool',
  'prompt',
  'resource',
  'template',
] as const
