import { statSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../engine/ground/errors.ts'
import { parseSettings } from '../../engine/settings/parse-settings.ts'
import { readConfig } from '../../engine/settings/read-config.ts'
import { formatProblem } from '../../engine/settings/settings-problem.ts'
import { CONFIG_FILE } from '../../engine/settings/settings-store.ts'
import { Settings } from '../../../shared/settings.ts'
import type { Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'

/** `isReadable`: a usable part exists. */
export function checkConfig(
  dataDir: string,
  platform: NodeJS.Platform,
): { settings: Settings; isReadable: boolean; findings: Finding[] } {
  const subject = 'settings'
  const path = join(dataDir, CONFIG_FILE)
  try {
    const text = readConfig(path)
    if (text === undefined) {
      const message = `${path} is not there, so the built-in settings hold. \`sluice init\` writes one to start from.`
      return { settings: Settings.parse({}), isReadable: true, findings: [warning(subject, message)] }
    }
    const { settings, usable, problems, notices } = parseSettings(text)
    const findings = [
      ...problems.map((found) => problem(subject, formatProblem(found, CONFIG_FILE))),
      ...notices.map((found) => warning(subject, formatProblem(found, CONFIG_FILE))),
      ...checkMode(path, platform),
    ]
    const isRight = problems.length === 0 ? [ok(subject, `${path} is right.`)] : []
    const known = settings ?? usable
    return {
      settings: known ?? Settings.parse({}),
      isReadable: known !== undefined,
      findings: [...isRight, ...findings],
    }
  } catch (error) {
    return {
      settings: Settings.parse({}),
      isReadable: false,
      findings: [problem(subject, messageOf(error))],
    }
  }
}

/** The file may contain keys. */
function checkMode(path: string, platform: NodeJS.Platform): Finding[] {
  if (platform === 'win32' || (statSync(path).mode & 0o077) === 0) return []
  return [
    warning(
      'settings',
      `Other users can read ${path}, which may hold secrets. Close it: chmod 600 '${path}'`,
    ),
  ]
}
