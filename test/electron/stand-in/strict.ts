import { EventEmitter } from 'node:events'

/**
 * A strict object of the stand-in: using a missing member throws with its name, instead of returning undefined and
 * letting a test pass by accident. Names with an underscore are EventEmitter's own.
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

/** Members that JavaScript itself, console.log and EventEmitter look up. */
const isKnownMiss = (key: string): boolean =>
  key.startsWith('_') || ['then', 'toJSON', 'nodeType', 'asymmetricMatch', 'default'].includes(key)

/** An EventEmitter that is strict also inside its own methods. */
export class StrictEmitter extends EventEmitter {
  constructor(name: string) {
    super()
    return strict(name, this)
  }
}
