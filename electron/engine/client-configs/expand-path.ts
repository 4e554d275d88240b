import type { ClientFiles } from './client-files.ts'

/** `*` matches anything but a separator. */
export function expandPath(pattern: string, files: ClientFiles): readonly string[] {
  const star = pattern.indexOf('*')
  if (star === -1) return files.facts(pattern) ? [pattern] : []
  const separator = pattern.includes('\\') ? '\\' : '/'
  const from = pattern.lastIndexOf(separator, star) + 1
  const nextSeparator = pattern.indexOf(separator, star)
  const to = nextSeparator === -1 ? pattern.length : nextSeparator
  const name = new RegExp(
    `^${pattern
      .slice(from, to)
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    'i',
  )
  return files
    .list(pattern.slice(0, from))
    .filter((found) => name.test(found))
    .flatMap((found) => expandPath(pattern.slice(0, from) + found + pattern.slice(to), files))
}
