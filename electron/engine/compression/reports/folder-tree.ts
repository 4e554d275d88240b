/** A folder with what stands directly in it; counts take in everything below. */
export interface Folder {
  readonly name: string
  readonly path: string
  readonly folders: Map<string, Folder>
  readonly files: string[]
  fileCount: number
}

/** Builds the tree of folders from paths; a path that other paths begin with is a folder even without a slash at its end. */
export function buildFolderTree(paths: readonly string[]): Folder {
  const root = emptyFolder('', '')
  const sorted = [...new Set(paths)]
  const folders = new Set<string>()
  for (const path of sorted)
    for (let i = path.indexOf('/'); i >= 0; i = path.indexOf('/', i + 1)) folders.add(path.slice(0, i))
  for (const path of sorted) {
    const isFolder = path.endsWith('/') || folders.has(path)
    const parts = path.split('/')
    if (path.endsWith('/')) parts.pop()
    const name = isFolder ? undefined : parts.pop()
    const folder = folderAt(root, parts)
    if (name !== undefined && name !== '') folder.files.push(name)
  }
  countFiles(root)
  return root
}

function folderAt(root: Folder, parts: readonly string[]): Folder {
  let folder = root
  for (const part of parts) {
    let next = folder.folders.get(part)
    if (!next) {
      next = emptyFolder(part, `${folder.path}${part}/`)
      folder.folders.set(part, next)
    }
    folder = next
  }
  return folder
}

const emptyFolder = (name: string, path: string): Folder => ({
  name,
  path,
  folders: new Map(),
  files: [],
  fileCount: 0,
})

/** Without recursion: paths come from outside and may be deep. */
function countFiles(root: Folder): void {
  const order: Folder[] = [root]
  for (let i = 0; i < order.length; i++)
    for (const child of order[i]?.folders.values() ?? []) order.push(child)
  for (const folder of order.reverse()) {
    folder.fileCount = folder.files.length
    for (const child of folder.folders.values()) folder.fileCount += child.fileCount
  }
}
