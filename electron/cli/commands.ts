import type { CreateCommand } from './cli-context.ts'

/** By the name of each command, in the order in which --help lists them. */
export const commands: Readonly<Record<string, () => Promise<CreateCommand>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand,
  connect: async () => (await import('./connect.ts')).connectCommand,
  init: async () => (await import('./init.ts')).initCommand,
  clients: async () => (await import('./clients.ts')).clientsCommand,
  wrap: async () => (await import('./wrap.ts')).wrapCommand,
  unwrap: async () => (await import('./unwrap.ts')).unwrapCommand,
  import: async () => (await import('./import.ts')).importCommand,
  stats: async () => (await import('./stats.ts')).statsCommand,
  results: async () => (await import('./results.ts')).resultsCommand,
  cache: async () => (await import('./cache.ts')).cacheCommand,
  open: async () => (await import('./open.ts')).openCommand,
  review: async () => (await import('./review.ts')).reviewCommand,
  quarantine: async () => (await import('./quarantine.ts')).quarantineCommand,
  models: async () => (await import('./models.ts')).modelsCommand,
  secrets: async () => (await import('./secrets.ts')).secretsCommand,
  'sign-in': async () => (await import('./sign-in.ts')).signInCommand,
  'sign-out': async () => (await import('./sign-in.ts')).signOutCommand,
  pause: async () => (await import('./pause.ts')).pauseCommand,
  resume: async () => (await import('./pause.ts')).resumeCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  compress: async () => (await import('./compress.ts')).compressCommand,
  mask: async () => (await import('./mask.ts')).maskCommand,
  scan: async () => (await import('./scan.ts')).scanCommand,
  start: async () => (await import('./start.ts')).startCommand,
}
