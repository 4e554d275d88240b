import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Another process may be about to write a new file's row. */
const GRACE_MS = 3_600_000

/** Half-written files, and those of results without rows. */
export async function removeStrayFiles(
  folder: string,
  now: number,
  index: { holds(sha256: string): boolean; holdsId(id: string): boolean },
): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const originals = names.flatMap((name) => /^([0-9a-f]{64})\.zst$/.exec(name)?.[1] ?? [])
  const held = new Set(originals.filter((sha256) => index.holds(sha256)))
  // An original's text file shares the beginning of its name.
  const readable = new Set([...held].map((sha256) => `${sha256.slice(0, 16)}.txt`))
  for (const name of names) {
    const sha256 = /^([0-9a-f]{64})\.zst$/.exec(name)?.[1]
    const sentOf = /^(r_[0-9a-f]+)\.sent\.zst$/.exec(name)?.[1]
    const ours =
      sha256 !== undefined ||
      sentOf !== undefined ||
      name.startsWith('.new-') ||
      /^[0-9a-f]{16}\.txt$/.test(name)
    if (!ours || readable.has(name) || (sha256 !== undefined && held.has(sha256))) continue
    if (sentOf !== undefined && index.holdsId(sentOf)) continue
    const path = join(folder, name)
    const written = await stat(path).then(
      (found) => found.mtimeMs,
      () => now,
    )
    if (now - written > GRACE_MS) await rm(path, { force: true })
  }
}
