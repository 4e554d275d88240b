import { expect, test } from 'vitest'
import { collectGarbage } from '../../electron/engine/collect-garbage.ts'

test('what nobody holds any more is gone at once, and programs see nothing of the way', () => {
  const left = new WeakRef({ text: 'x' })
  return new Promise<void>((resolve) => {
    // What a turn has looked at through a reference stays until that turn ends.
    setImmediate(() => {
      collectGarbage()
      expect(left.deref()).toBeUndefined()
      expect(globalThis.gc).toBeUndefined()
      resolve()
    })
  })
})
