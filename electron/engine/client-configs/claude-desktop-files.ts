import { win32 } from 'node:path'
import type { ClientFiles } from './client-files.ts'
import { clientFolders } from './client-folders.ts'
import type { Machine } from '../ground/surroundings.ts'
import type { FileChoice } from './client-spec.ts'
import { expandPath } from './expand-path.ts'

const FILE = 'claude_desktop_config.json'

/**
 * The Windows package (MSIX) has its own folder instead of AppData\Roaming: one such file → that one; only the
 * classic file → that; neither, but one package → its future path; several → ask the user.
 */
export function chooseClaudeDesktopFile(machine: Machine, files: ClientFiles): FileChoice {
  const { appData, localAppData } = clientFolders(machine)
  const classic = appData('Claude', FILE)
  if (machine.platform !== 'win32') {
    return { files: [classic.find((path) => files.facts(path)) ?? classic[0] ?? ''] }
  }
  const packages = expandPath(localAppData('Packages', 'Claude_*'), files)
  const candidates = packages.map((folder) => win32.join(folder, 'LocalCache', 'Roaming', 'Claude', FILE))
  const packaged = candidates.filter((path) => files.facts(path))
  if (packaged.length > 1) {
    return {
      files: packaged,
      question: `Claude Desktop is installed ${packaged.length} times, each with a configuration of its own. Which one do you use? Name it with --file.`,
    }
  }
  const [only] = packaged
  const unused = classic.filter((path) => files.facts(path))
  if (only !== undefined) {
    const remark = `${unused.join(', ')} is there too, but this installation of Claude Desktop does not read it.`
    return { files: [only], ...(unused.length > 0 ? { remark } : {}) }
  }
  if (unused.length > 0) return { files: unused }
  return { files: candidates.length === 1 ? candidates : classic }
}
