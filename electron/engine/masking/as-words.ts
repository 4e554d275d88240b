/** A key as words: "dateOfBirth" → "date Of Birth". */
export const asWords = (key: string): string =>
  key.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').replaceAll(/[_-]+|(?<=\w\w)\.+/g, ' ')
