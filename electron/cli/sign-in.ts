import { Command } from 'commander'
import { SluiceError } from '../engine/ground/errors.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
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
      const { signInToServer } = await import('../engine/servers/sign-in.ts')
      await signInToServer({
        serverId,
        server: await serverNamed(serverId, context, common()),
        env: context.env,
        secrets: secretsOf(context, common()),
        dataDir: common().dataDir,
        now: context.now,
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
      const { signOutOfServer } = await import('../engine/servers/sign-in.ts')
      await signOutOfServer(serverId, secretsOf(context, common()))
      context.stdout.write(`The sign-in to ${serverId} is forgotten.\n`)
    })

const secretsOf = (context: CliContext, { dataDir }: CommonOptions) =>
  headlessSecrets(dataDir, (message) => context.stderr.write(`sluice: ${message}\n`))

async function serverNamed(
  serverId: string,
  context: CliContext,
  common: CommonOptions,
): Promise<ServerSettings> {
  const { openSoundSettings } = await import('./sound-settings.ts')
  const { useNetwork } = await import('../engine/network/create-network.ts')
  const store = await openSoundSettings(common)
  await useNetwork(store.current, {
    env: context.env,
    warn: (message) => context.stderr.write(`sluice: ${message}\n`),
  })
  const { servers } = store.current
  store.close()
  const server = Object.hasOwn(servers, serverId) ? servers[serverId] : undefined
  if (server) return server
  const hint = didYouMean(serverId, Object.keys(servers))
  throw new SluiceError('SERVER_UNKNOWN', `There is no server "${serverId}" in config.json.${hint}`)
}
