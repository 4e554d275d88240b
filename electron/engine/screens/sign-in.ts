import type { Answers } from './http/answers.ts'
import { SluiceError } from '../ground/errors.ts'
import type { Secrets } from '../ground/secrets/secrets.ts'
import type { ScreensOptions } from './screens-options.ts'
import { serverOf } from './server-status.ts'

/** The caller opens the page, this process receives the answer. */
export function createSignInAnswers(options: ScreensOptions): Pick<Answers['servers'], 'signIn' | 'signOut'> {
  const { dataDir, env, now } = options
  const secretsFor = (server: string): Secrets => {
    if (options.secrets) return options.secrets
    throw new SluiceError(
      'SIGN_IN_FAILED',
      `This engine keeps no secrets, so a sign-in to "${server}" would be lost. Use "sluice sign-in ${server}".`,
    )
  }
  return {
    signIn: async function* ({ server: serverId }, { signal }) {
      const { signInToServer } = await import('../servers/sign-in.ts')
      const leave = new AbortController()
      const page = Promise.withResolvers<URL>()
      const done = signInToServer({
        serverId,
        server: serverOf(options, serverId),
        env,
        secrets: secretsFor(serverId),
        dataDir,
        now,
        openPage: page.resolve,
        signal: signal ? AbortSignal.any([signal, leave.signal]) : leave.signal,
      })
      try {
        const url = await Promise.race([page.promise, done])
        if (url) yield { kind: 'page' as const, url: url.href }
        await done
        yield { kind: 'done' as const }
      } finally {
        leave.abort()
        await done.catch(() => {})
      }
    },
    signOut: async ({ server }) => {
      serverOf(options, server)
      const { signOutOfServer } = await import('../servers/sign-in.ts')
      await signOutOfServer(server, secretsFor(server))
    },
  }
}
