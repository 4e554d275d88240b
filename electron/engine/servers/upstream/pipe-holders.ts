import { readdirSync, readlinkSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** Per event-loop turn. */
const AT_ONCE = 20

/**
 * Of stdin and stdout. Excludes stderr, which programs opened for the user, such as a browser, often share. Empty if
 * unknown.
 */
export function pipesOf(pid: number, platform: NodeJS.Platform): ReadonlySet<string> {
  if (platform !== 'linux') return new Set()
  const names = [0, 1].map((descriptor) => linkOf(`/proc/${pid}/fd/${descriptor}`))
  return new Set(names.filter((name) => /^(?:socket|pipe):\[\d+\]$/.test(name)))
}

export async function holdersOf(pipes: ReadonlySet<string>): Promise<number[]> {
  if (pipes.size === 0) return []
  const holders: number[] = []
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  for (const [index, id] of ids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await setImmediate()
    const isHolder = descriptorsOf(id).some((descriptor) => pipes.has(linkOf(`/proc/${id}/fd/${descriptor}`)))
    if (isHolder && Number(id) !== process.pid) holders.push(Number(id))
  }
  return holders
}

function descriptorsOf(id: string): string[] {
  try {
    return readdirSync(`/proc/${id}/fd`)
  } catch {
    return []
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
