import { Command } from 'commander'
import { SluiceError } from '../engine/errors.ts'
import { resolveSecrets } from '../engine/resolve-secrets.ts'
import { expandServer } from '../engine/settings/expand-env.ts'
import type { ServerSettings } from '../../shared/settings.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import { headlessSecrets } from './headless-secrets.ts'
import { openBrowser } from './open-browser.ts'

const EXAMPLES = `
The page of the server's provider opens in your browser, once. What comes of it is kept with your other secrets (see
"sluice secrets"), renewed when it ends, and sent to this server alone. Running clients use it from their next call on.

Examples:
  sluice sign-in linear
  sluice sign-in linear --no-browser      only print the address
  sluice sign-out linear`

export const signInCommand = (setup: CommandSetup): Command =>
  new Command('sign-in')
    .description('Sign in to a remote server that wants you to (OAuth).')
    .argument('<server>', 'its name in config.json')
    .option('--no-browser', 'print the address of the page and open no browser')
    .addHelpText('after', EXAMPLES)
    .action(async (serverId: string, { browser }: { browser: boolean }) => {
      const { context, common } = setup
      const { signIn } = await import('../engine/upstream/oauth/sign-in.ts')
      const { settings, store, lockPathOf } = await openServer(serverId, context, common())
      await signIn({
        serverId,
        settings,
        store,
        now: context.now,
        lockPath: lockPathOf(common().dataDir, serverId, 'sign-in'),
        openPage: (url) => {
          context.stderr.write(`Sign in on this page, then come back:\n${url.href}\n`)
          if (browser) openBrowser(url, context.platform)
        },
      })
      context.stdout.write(`You are signed in to ${serverId}.\n`)
    })

export const signOutCommand = (setup: CommandSetup): Command =>
  new Command('sign-out')
    .description('Forget a sign-in. What the server itself remembers of it is not ended.')
    .argument('<server>', 'its name in config.json')
    .action(async (serverId: string) => {
      const { context, common } = setup
      const { grantName } = await import('../engine/upstream/oauth/stored-grant.ts')
      const secrets = secretsOf(context, common())
      const name = grantName(serverId)
      if (!(await secrets.list()).some((entry) => entry.name === name))
        throw new SluiceError('BAD_INPUT', `Nothing is kept of a sign-in to "${serverId}".`)
      await secrets.delete(name)
      context.stdout.write(`The sign-in to ${serverId} is forgotten.\n`)
    })

const secretsOf = (context: CliContext, { dataDir }: CommonOptions) =>
  headlessSecrets(dataDir, (message) => context.stderr.write(`sluice: ${message}\n`))

async function openServer(serverId: string, context: CliContext, common: CommonOptions) {
  const { openSettingsOnce } = await import('./client-targets.ts')
  const { createGrantStore } = await import('../engine/upstream/oauth/stored-grant.ts')
  const { lockPathOf } = await import('../engine/upstream/oauth/server-auths.ts')
  const { useNetwork } = await import('../engine/network-options.ts')
  const store = openSettingsOnce(common)
  await useNetwork(store.current, {
    env: context.env,
    warn: (message) => context.stderr.write(`sluice: ${message}\n`),
  })
  const written = store.current.servers[serverId]
  store.close()
  const secrets = secretsOf(context, common)
  const settings = expandServer(
    serverId,
    remote(serverId, written),
    context.env,
    await resolveSecrets(remote(serverId, written), secrets),
  )
  return { settings, lockPathOf, store: createGrantStore(secrets, serverId, new URL(settings.url ?? '')) }
}

function remote(serverId: string, server: ServerSettings | undefined): ServerSettings {
  if (server?.url !== undefined) return server
  throw new SluiceError(
    server ? 'BAD_INPUT' : 'SERVER_UNKNOWN',
    server
      ? `Server "${serverId}" is a program on this machine: there is nothing to sign in to.`
      : `There is no server "${serverId}" in config.json.`,
  )
}
