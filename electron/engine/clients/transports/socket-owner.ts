import { lstatSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

/** Folder access; socket writing. */
const REACHED_BY_OTHERS = 0o077
const WRITTEN_BY_OTHERS = 0o022

/** Half a sentence. Check before sending, because a connection reveals environment and requests. */
export function whyNotOwn(path: string, platform: NodeJS.Platform): string | undefined {
  const uid = process.getuid?.()
  // Windows protects named pipes.
  if (platform === 'win32' || uid === undefined) return undefined
  const folder = dirname(path)
  const [around, socket] = [look(folder), look(path)]
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

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
