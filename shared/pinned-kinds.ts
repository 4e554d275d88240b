/**
 * The parts of a server that its user approves. `server` is how it is launched, with the package that was resolved;
 * `introduction` what it says of itself: name, title, capabilities that the protocol does not know.
 */
export const PINNED_KINDS = [
  'server',
  'introduction',
  'instructions',
  'tool',
  'prompt',
  'resource',
  'template',
] as const
