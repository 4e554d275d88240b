import { EventEmitter } from 'node:events'

/**
 * An object of the stand-in: whoever uses anything that it doesn't have gets an error with its name, instead of undefined
 * and a test that passes by accident. Names with an underscore are EventEmitter's own.
 */
export function strict<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get: (object, key, receiver) => {
      if (typeof key === 'string' && !(key in object) && !isKnownMiss(key)) {
        throw new Error(`The stand-in for Electron has no ${name}.${key}: see test/electron/stand-in.`)
      }
      const value: unknown = Reflect.get(object, key, receiver)
      return value
    },
  })
}

/** What JavaScript itself, console.log and EventEmitter look for. */
const isKnownMiss = (key: string): boolean =>
  key.startsWith('_') || ['then', 'toJSON', 'nodeType', 'asymmetricMatch', 'default'].includes(key)

/** An EventEmitter of which only the strict side is ever seen, by its own methods too. */
export class StrictEmitter extends EventEmitter {
  constructor(name: string) {
    super()
    return strict(name, this)
  }
}
