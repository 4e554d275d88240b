import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const PAGE_BYTES = 4096
const PS_LIMIT_MS = 2000

/** By group id; empty if unknown (Windows has no groups). Shared pages count in each process. */
export async function groupMemory(
  groups: readonly number[],
  platform: NodeJS.Platform,
): Promise<ReadonlyMap<number, number>> {
  if (groups.length === 0 || platform === 'win32') return new Map()
  const rows = platform === 'linux' ? await readProc() : await askPs()
  const bytes = new Map<number, number>()
  for (const { group, resident } of rows) {
    if (groups.includes(group)) bytes.set(group, (bytes.get(group) ?? 0) + resident)
  }
  return bytes
}

interface ProcessRow {
  readonly group: number
  readonly resident: number
}

async function readProc(): Promise<ProcessRow[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = await Promise.all(
    ids.map(async (id): Promise<ProcessRow[]> => {
      try {
        const stat = await readFile(`/proc/${id}/stat`, 'latin1')
        // `pid (command) state ppid pgrp …`, resident pages in field 24; the command may contain spaces and brackets.
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return [{ group: Number(fields[2]), resident: Number(fields[21]) * PAGE_BYTES }]
      } catch {
        return []
      }
    }),
  )
  return rows.flat()
}

async function askPs(): Promise<ProcessRow[]> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-axo', 'pgid=,rss='], { timeout: PS_LIMIT_MS })
    return stdout.split('\n').flatMap((line) => {
      const [group, kilobytes] = line.trim().split(/\s+/).map(Number)
      return group !== undefined && kilobytes !== undefined ? [{ group, resident: kilobytes * 1024 }] : []
    })
  } catch {
    return []
  }
}
