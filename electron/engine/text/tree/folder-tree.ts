/** Counts include everything below. */
export interface Folder {
  readonly name: string
  readonly path: string
  readonly folders: Map<string, Folder>
  readonly files: string[]
  fileCount: number
}

/** A prefix of other paths is a folder even without slash. */
export function buildFolderTree(paths: readonly string[]): Folder {
  const root = emptyFolder('', '')
  const folders = new Map([['', root]])
  const folderAt = (path: string): Folder => {
    const missing: string[] = []
    let known = path
    while (!folders.has(known)) {
      missing.push(known)
      known = parentOf(known)
    }
    let folder = folders.get(known) ?? root
    for (const next of missing.reverse()) {
      const name = next.slice(next.lastIndexOf('/') + 1)
      const child = emptyFolder(name, `${next}/`)
      folder.folders.set(name, child)
      folders.set(next, child)
      folder = child
    }
    return folder
  }
  const all = new Set(paths)
  for (const path of all) folderAt(path.endsWith('/') ? path.slice(0, -1) : parentOf(path))
  for (const path of all)
    if (!path.endsWith('/') && !folders.has(path))
      folderAt(parentOf(path)).files.push(path.slice(path.lastIndexOf('/') + 1))
  countFiles(root)
  return root
}

const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const emptyFolder = (name: string, path: string): Folder => ({
  name,
  path,
  folders: new Map(),
  files: [],
  fileCount: 0,
})

/** Iterative: external paths may be deep. */
function countFiles(root: Folder): void {
  const order: Folder[] = [root]
  for (let i = 0; i < order.length; i++)
    for (const child of order[i]?.folders.values() ?? []) order.push(child)
  for (const folder of order.reverse()) {
    folder.fileCount = folder.files.length
    for (const child of folder.folders.values()) folder.fileCount += child.fileCount
  }
}
