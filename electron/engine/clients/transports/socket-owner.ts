import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Permissions by which others reach a folder, or write to a socket. */
const REACHED_BY_OTHERS = 0o077
const WRITTEN_BY_OTHERS = 0o022

/**
 * Why a program behind this path may be another user's: half a sentence; undefined where folder and socket are this user's
 * alone, or are not there. Who connects says much (its environment, all it asks), so nothing is said before this.
 */
export async function whyNotOwn(path: string, platform: NodeJS.Platform): Promise<string | undefined> {
  const uid = process.getuid?.()
  // Named pipes are made by their name alone, and closed to other users by Windows.
  if (platform === 'win32' || uid === undefined) return undefined
  const folder = dirname(path)
  const [around, socket] = await Promise.all([look(folder), look(path)])
  if (!around) return undefined
  if (!around.isDirectory()) return `${folder} isn't a folder`
  if (around.uid !== uid) return `the folder ${folder} belongs to another user (${around.uid})`
  if ((around.mode & REACHED_BY_OTHERS) !== 0) return `the folder ${folder} is open to other users`
  if (!socket) return undefined
  if (!socket.isSocket()) return `${path} isn't a socket`
  if (socket.uid !== uid) return `${path} belongs to another user (${socket.uid})`
  if ((socket.mode & WRITTEN_BY_OTHERS) !== 0) return `${path} can be written to by other users`
  return undefined
}

const look = (path: string) => lstat(path).catch(() => undefined)
