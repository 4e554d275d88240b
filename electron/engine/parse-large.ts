import { ownPieces, type ParseLarge } from './upstream/large-messages.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Parses in a worker thread, which gets the memory of the pieces. */
export const parseLargeIn =
  (workers: WorkerPool): ParseLarge =>
  (received) => {
    const { pieces, transfer } = ownPieces(received)
    return workers.run('parse', pieces, { transfer })
  }
