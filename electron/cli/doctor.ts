import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { Settings } from '../../shared/settings.ts'
import { headlessSecrets } from './headless-secrets.ts'
import type { CliContext, CommandSetup } from './cli-context.ts'
import type { Finding } from './doctor/finding.ts'
import { showStep } from './show-step.ts'
import { ExitCode } from './exit-code.ts'
import { NEEDED_NODE_MAJOR, isNodeNewEnough } from './node-version.ts'

interface DoctorOptions {
  readonly offline: boolean
  readonly json: boolean
  readonly bundle?: string
}

export const doctorCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('doctor')
    .description('Say in plain words what is wrong with this setup. Ends with 1 when something is.')
    .option('--offline', 'do not start or reach any server', false)
    .option('--json', 'print a JSON array of findings', false)
    .option(
      '--bundle <file>',
      'also write a file for those who help: findings, settings and log, without secrets',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  sluice doctor\n  sluice doctor --offline --data-dir ./sluice-data\n  sluice doctor --bundle sluice-support.json',
    )
    .action(async ({ offline, json, bundle }: DoctorOptions) => {
      const { dataDir } = common({ isFolderChecked: false })
      const { findings, settings, secrets } = await examine(dataDir, offline, context)
      context.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : describe(findings))
      if (bundle !== undefined) {
        const { writeBundle } = await import('./doctor/write-bundle.ts')
        const path = resolve(context.cwd, bundle)
        await writeBundle({ path, dataDir, findings, settings, secrets, context })
        context.stderr.write(`Wrote ${path}. Look through it before you send it to anybody.\n`)
      }
      if (findings.some(({ status }) => status === 'problem')) end(ExitCode.problem)
    })

async function examine(dataDir: string, offline: boolean, context: CliContext) {
  const { ok, problem, warning } = await import('./doctor/finding.ts')
  const { checkReadable, checkFolder, checkDatabase, checkApprovals } =
    await import('./doctor/check-folder.ts')
  const { preparePatterns } = await import('../engine/settings/check-patterns.ts')
  const { CONFIG_FILE } = await import('../engine/settings/settings-store.ts')
  const { readConfigOrNothing } = await import('../engine/settings/read-config.ts')
  const { checkConfig } = await import('./doctor/check-config.ts')
  const { checkPrices } = await import('./doctor/check-prices.ts')
  const { checkNetwork } = await import('./doctor/check-network.ts')
  const { checkSavings } = await import('./doctor/check-savings.ts')
  const { checkEngine } = await import('./doctor/check-engine.ts')
  const { checkDetectors } = await import('./doctor/check-detectors.ts')
  const { checkModel } = await import('./doctor/check-model.ts')
  const { checkCopies } = await import('./doctor/check-copies.ts')
  const { checkClients, lookInApps } = await import('./doctor/check-clients.ts')
  const { checkServers } = await import('./doctor/check-servers.ts')
  const { nodeVersion, platform } = context
  const node = isNodeNewEnough(nodeVersion)
    ? ok('node', `Node ${nodeVersion}.`)
    : problem('node', `Node ${nodeVersion} is too old: Sluice needs ${NEEDED_NODE_MAJOR} or newer.`)
  const secrets = headlessSecrets(dataDir, () => {})
  const unusable = checkReadable(dataDir)
  if (unusable) {
    const rest = warning('settings', 'Nothing else could be checked: correct the data folder first.')
    return { findings: [node, unusable, rest], settings: Settings.parse({}), secrets }
  }
  const { step, end } = showStep(context.stderr)
  const during = (what: string, look: () => Promise<Finding[]>): Promise<Finding[]> => {
    step(`Looking at ${what}`)
    return look()
  }
  await preparePatterns(readConfigOrNothing(join(dataDir, CONFIG_FILE)))
  const { settings, isReadable, findings: config } = checkConfig(dataDir, platform)
  const findings: Finding[] = [
    node,
    ...checkFolder(dataDir, platform),
    ...checkDatabase(dataDir),
    ...checkApprovals(dataDir, settings),
    ...checkSavings(dataDir, context.now()),
    ...config,
    ...checkPrices(dataDir),
    ...(await during('the network', () => checkNetwork(settings, context))),
    ...(await during('the engine', () => checkEngine(dataDir, settings.http.port, context))),
    ...(isReadable
      ? await during('detectors', () => checkDetectors(settings, { env: context.env, secrets }))
      : []),
    ...(isReadable
      ? await during('the model', () => checkModel(settings, { dataDir, offline, secrets }, context))
      : []),
    ...(isReadable
      ? await during('servers', () =>
          checkServers(settings, offline, context, secrets, lookInApps(settings, dataDir, context)),
        )
      : [warning('servers', 'None could be checked: fix config.json first.')]),
    ...(isReadable ? await checkCopies(settings, dataDir) : []),
    ...(isReadable ? checkClients(settings, dataDir, context) : []),
  ]
  end()
  return { findings, settings, secrets }
}

const MARKS = { ok: 'ok     ', warning: 'note   ', problem: 'WRONG  ' } as const

function describe(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.map(
    ({ status, subject, message }) => `${MARKS[status]}${subject.padEnd(width)}  ${plain(message)}`,
  )
  const wrong = findings.filter(({ status }) => status === 'problem').length
  const notes = findings.filter(({ status }) => status === 'warning').length
  const seeNotes = notes === 0 ? '' : notes === 1 ? '; one note above' : `; ${notes} notes above`
  const verdict =
    wrong === 0
      ? `Nothing is wrong${seeNotes}.`
      : wrong === 1
        ? 'One thing is wrong.'
        : `${wrong} things are wrong.`
  return `${lines.join('\n')}\n\n${verdict}\n`
}

/** Servers choose their names and errors. */
const plain = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n]|\p{Cf}/gu, '?').replaceAll('\n', '\n         ')
