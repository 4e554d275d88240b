import { messageOf, SluiceError } from '../ground/errors.ts'
import { ownPieces, type ParseLarge } from './large-messages.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Rejects with the parser's message. */
export const parseMessageIn =
  (workers: Pick<WorkerPool, 'run'>): ParseLarge =>
  (received) => {
    const { pieces, transfer } = ownPieces(received)
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
    return workers.run('parse', pieces, { transfer, size })
  }

/** Takes over the pieces' memory. */
export const parseLargeIn =
  (workers: Pick<WorkerPool, 'run'>): ParseLarge =>
  async (received) => {
    const { pieces, transfer } = ownPieces(received)
    const bytes = pieces.reduce((sum, piece) => sum + piece.length, 0)
    try {
      return await workers.run('parse', pieces, { transfer, size: bytes, keeps: true })
    } catch (error) {
      throw new SluiceError(
        'WORKER_FAILED',
        `The server's answer of ${bytes} bytes could not be read: ${messageOf(error)} Ask for less at a time.`,
        { data: { bytes }, cause: error },
      )
    }
  }
