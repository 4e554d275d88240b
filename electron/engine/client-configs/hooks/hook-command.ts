import type { HookPlace } from './hook-spec.ts'

/** `sluice hook APP EVENT` as a line for the shell that the app uses. */
export function hookCommand(
  { launcher, machine }: Pick<HookPlace, 'launcher' | 'machine'>,
  app: string,
  event: string,
  shell: 'sh' | 'powershell' = machine.platform === 'win32' ? 'powershell' : 'sh',
): string {
  const words = [launcher.command, ...launcher.args, 'hook', app, event]
  if (shell === 'powershell') {
    const variables = Object.entries(launcher.env ?? {}).map(([name, value]) => `$env:${name}='${value}'; `)
    return `${variables.join('')}& ${words.map((word) => `'${word.replaceAll("'", "''")}'`).join(' ')}`
  }
  const variables = Object.entries(launcher.env ?? {}).map(([name, value]) => `${name}=${quoted(value)} `)
  return variables.join('') + words.map(quoted).join(' ')
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Part of every address and command that wrapping writes. */
const OWN_URL = /^https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/hook\/[\w-]+\//
const OWN_COMMAND =
  /(?:\bsluice|\belectron[\\/]cli\.[jt]s)\b.*\bhook['"]? ['"]?[\w-]+['"]? ['"]?[\w.]+['"]?\s*$/i

/** A hook of Sluice's, in whatever version of it, or a group with one. */
export function isOwnHook(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false
  return Object.entries(entry).some(([key, value]) =>
    typeof value === 'string'
      ? (key === 'url' && OWN_URL.test(value)) ||
        (/^(?:command|bash|powershell)$/.test(key) && OWN_COMMAND.test(value))
      : isOwnHook(value),
  )
}
