import { rmSync } from 'node:fs'

/** With what an ending process, such as an engine that its last client has just left, still writes into it. */
export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
