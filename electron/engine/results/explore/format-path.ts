import type { JsonPath } from '../../text/tree/places.ts'

/** A path as a query takes it: `users[3].email`. `every` stands for all places in lists: `users[*].email`. */
export const formatPath = (path: JsonPath, every = false): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${every ? '*' : key}]`
    if (!/^[^.[\]"'\s*=<>]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
