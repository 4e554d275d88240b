import type { JsonPath } from './places.ts'

/** Such as `users[3].email`. `every`: `users[*].email`. */
export const formatPath = (path: JsonPath, every = false): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${every ? '*' : key}]`
    if (!/^[^.[\]"'\s*=<>]+$/.test(key)) return `${text}[${JSON.stringify(key)}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
