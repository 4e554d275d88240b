import { expect, test } from 'vitest'
import { createEnding } from '../../electron/app/ending.ts'

function world(resisting: readonly string[] = []) {
  const did: string[] = []
  const servers = Promise.withResolvers<readonly string[]>()
  const ending = createEnding({
    end: () => {
      did.push('end')
      return servers.promise
    },
    tell: async (names) => void did.push(`tell ${names.join()}`),
    quit: () => void did.push('quit'),
  })
  const settle = async (): Promise<void> => {
    servers.resolve(resisting)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { did, ending, settle, servers }
}

test('quitting waits for the servers, once, and then is allowed', async () => {
  const { did, ending, settle } = world(['notes (process 7)'])
  expect([ending.mayQuit(), ending.mayQuit()]).toEqual([false, false])
  await settle()
  expect(did).toEqual(['end', 'tell notes (process 7)', 'quit'])
  expect(ending.mayQuit()).toBe(true)
})

test('an update ends the servers, and then runs its installer in place of quitting', async () => {
  const { did, ending, settle } = world()
  ending.endThen(() => void did.push(`install, may quit: ${ending.mayQuit()}`))
  expect(ending.mayQuit()).toBe(false)
  await settle()
  expect(did).toEqual(['end', 'install, may quit: true'])
})

test('pressing Install while the app ends already still installs', async () => {
  const { did, ending, settle } = world()
  ending.mayQuit()
  ending.endThen(() => void did.push('install'))
  await settle()
  expect(did).toEqual(['end', 'install'])
})

test('an installer that fails, and an engine that fails to end, leave no app without an engine', async () => {
  const failing = world()
  failing.ending.endThen(() => {
    throw new Error('no installer')
  })
  await failing.settle()
  expect(failing.did).toEqual(['end', 'quit'])
  const stuck = world()
  stuck.ending.mayQuit()
  stuck.servers.reject(new Error('stuck'))
  await stuck.settle()
  expect(stuck.did).toEqual(['end', 'quit'])
})
