import type { CreateCommand } from './cli-context.ts'
import { clientsCommand } from './clients.ts'
import { compressCommand } from './compress.ts'
import { connectCommand } from './connect.ts'
import { doctorCommand } from './doctor.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { maskCommand } from './mask.ts'
import { quarantineCommand } from './quarantine.ts'
import { resultsCommand } from './results.ts'
import { openCommand } from './open.ts'
import { pauseCommand, resumeCommand } from './pause.ts'
import { reviewCommand } from './review.ts'
import { scanCommand } from './scan.ts'
import { serveCommand } from './serve.ts'
import { startCommand } from './start.ts'
import { statsCommand } from './stats.ts'
import { unwrapCommand } from './unwrap.ts'
import { wrapCommand } from './wrap.ts'

/** In the order in which --help lists them. */
export const everyCommand: readonly CreateCommand[] = [
  serveCommand,
  connectCommand,
  initCommand,
  clientsCommand,
  wrapCommand,
  unwrapCommand,
  importCommand,
  statsCommand,
  resultsCommand,
  openCommand,
  reviewCommand,
  quarantineCommand,
  pauseCommand,
  resumeCommand,
  doctorCommand,
  compressCommand,
  maskCommand,
  scanCommand,
  startCommand,
]
