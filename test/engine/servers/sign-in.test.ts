import { expect, test, vi } from 'vitest'
import { signOutOfServer } from '../../../electron/engine/servers/sign-in.ts'

test('a sign-out names the server that is signed in', async () => {
  const secrets = {
    list: () =>
      Promise.resolve(['oauth.linear.grant', 'KEY'].map((name) => ({ name, place: 'keyring' as const }))),
    delete: vi.fn(() => Promise.resolve()),
  }
  await expect(signOutOfServer('liner', secrets)).rejects.toThrow(
    'Nothing is kept of a sign-in to "liner". Did you mean "linear"?',
  )
  expect(secrets.delete).not.toHaveBeenCalled()
  await signOutOfServer('linear', secrets)
  expect(secrets.delete).toHaveBeenCalledWith('oauth.linear.grant')
})
