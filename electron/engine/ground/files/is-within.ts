/** The folder itself, or below it. */
export function isWithin(folder: string, outer: string): boolean {
  const [own, wanted] = [tidy(folder), tidy(outer)]
  return own === wanted || own.startsWith(`${wanted}/`)
}

/** Windows' folders with either slash. */
const tidy = (folder: string): string => folder.replaceAll('\\', '/').replace(/(?<=.)\/+$/, '')
