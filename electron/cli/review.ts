import { Command, Option } from 'commander'
import { identityOf } from '../engine/approvals/launch.ts'
import { isOfOtherEntry } from '../engine/approvals/pinned-item.ts'
import type { PinStore } from '../engine/approvals/pin-store.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { scanOfChanges } from '../engine/screens/scan-of-changes.ts'
import type { CliContext, CommandSetup } from './cli-context.ts'
import { ExitCode } from './exit-code.ts'
import { formatChange } from './format-change.ts'
import { formatHistory } from './format-history.ts'
import { headlessSecrets } from './headless-secrets.ts'
import { meetServers } from './meet-servers.ts'
import { openPins } from './open-pins.ts'
import { openQuestions, type Questions } from './open-questions.ts'
import { reviewedChange, type ReviewedChange } from './reviewed-change.ts'
import { terminalJson } from './terminal-json.ts'
import type { ScanChange } from '../engine/guardrails/scan-change.ts'
import { openSoundSettings } from './sound-settings.ts'

interface ReviewOptions {
  readonly json: boolean
  readonly yes: boolean
  readonly approve?: string[]
  readonly deny?: string[]
  readonly approved: boolean
  readonly revoke?: string[]
  readonly history: boolean
  readonly reset: boolean
}

interface ReviewMeans {
  readonly scanChange: ScanChange
  readonly isConfigured: (change: ReviewedChange) => boolean
  /** Of the named server's launch, which others may share. */
  readonly identity: string | undefined
  /** Servers that couldn't be looked at. */
  readonly failed: readonly string[]
}

/** History entries printed. */
const MOST_TOLD = 200
/** With fewer characters of a hash a server could search for a definition with the approved prefix. */
const SHORTEST_PREFIX = 12
/** For the history. */
const BY = 'sluice review'

const EXAMPLES = `
Shows what servers offer that you have not approved, and what changed since you did. A running engine acts on your
decision at once. Servers are started for a look: new ones, and where nothing waits all of them.

Examples:
  sluice review                       look at everything that waits, and decide one server at a time
  sluice review github                only this server
  sluice review github --yes          approve all that waits for it, without a question
  sluice review --json                for scripts; then --approve HASH or --deny HASH, as often as needed
  sluice review --approved            all approved wordings; --revoke HASH takes one back
  sluice review --history             who approved what, when, and what was different`

export const reviewCommand = ({ context, common, end }: CommandSetup): Command =>
  new Command('review')
    .description('Look at new and changed servers and tools, and approve or deny them.')
    .argument('[server]', 'only this server')
    .option('--json', 'print what waits as a JSON array', false)
    .option('--yes', 'approve everything that waits', false)
    .option('--approve <hash...>', 'approve what has these hashes, or hashes that begin so')
    .option('--deny <hash...>', 'deny what has these hashes')
    .option('--approved', 'print all approved wordings as a JSON array', false)
    .option('--revoke <hash...>', 'take the approval of these wordings back')
    .option('--history', 'print decisions, newest first', false)
    .option('--reset', 'rename a damaged record and begin an empty one', false)
    .addOption(new Option('--start-anew', 'former name of --reset').implies({ reset: true }).hideHelp())
    .addHelpText('after', EXAMPLES)
    .action(async (server: string | undefined, options: ReviewOptions) => {
      // Settings that aren't in effect end the command before a record is begun.
      ;(await openSoundSettings(common())).close()
      const store = openPins(context, common(), options.reset)
      try {
        // Unless the request is specific, servers are looked at now.
        const isDefinite =
          options.approved || options.revoke || options.history || options.approve || options.deny
        const asksForMore = !isDefinite
        const notStarted = asksForMore ? await meetServers(context, common(), store, server) : []
        const settings = await openSoundSettings(common())
        const secrets = headlessSecrets(common().dataDir, (message) =>
          context.stderr.write(`sluice: ${message}\n`),
        )
        const scanChange = scanOfChanges({ settings, env: context.env, secrets })
        const { servers } = settings.current
        const isKnown = (id: string): boolean =>
          Object.hasOwn(servers, id) || store.servers().some(({ serverId }) => serverId === id)
        if (server !== undefined && !isKnown(server)) {
          const hint = didYouMean(server, Object.keys(servers))
          throw new SluiceError('BAD_INPUT', `There is no server "${server}" in config.json.${hint}`)
        }
        // What a client has brought of a server that starts in its folder only can be decided.
        const failed = notStarted.filter((id) => {
          const launch = servers[id]
          return launch === undefined || store.pendingOf(id, identityOf(launch)).length === 0
        })
        const named = server === undefined ? undefined : servers[server]
        const identities = new Set(Object.values(servers).map(identityOf))
        const isConfigured = ({ identity, kind, name }: ReviewedChange): boolean =>
          identities.has(identity) && (kind !== 'variables' || Object.hasOwn(servers, name))
        const code = await review(context, store, server, {
          ...options,
          scanChange,
          isConfigured,
          identity: named && identityOf(named),
          failed,
        })
        const isPartial = asksForMore && settings.problems.length > 0
        if (isPartial)
          context.stderr.write(
            `sluice: ${settings.path} has mistakes, so not all servers were looked at. Correct them, then review again.\n`,
          )
        if (failed.length > 0)
          context.stderr.write(
            `sluice: What ${failed.join(', ')} ${failed.length === 1 ? 'offers is' : 'offer is'} not known, because of the failure above. \`sluice doctor\` helps to correct it; then review again.\n`,
          )
        end(isPartial ? ExitCode.problem : failed.length > 0 ? ExitCode.unreachable : code)
        settings.close()
      } finally {
        store.close()
      }
    })

async function review(
  context: CliContext,
  store: PinStore,
  server: string | undefined,
  options: ReviewOptions & ReviewMeans,
): Promise<number> {
  const { stdout } = context
  if (options.history) {
    stdout.write(
      `${formatHistory(
        store
          .history(undefined, 10_000)
          .filter(({ serverId }) => server === undefined || serverId === server)
          .slice(0, MOST_TOLD),
      )}\n`,
    )
    return ExitCode.ok
  }
  if (options.revoke) return revoke(context, store, server, options.revoke)
  if (options.approved) {
    stdout.write(`${terminalJson(approvedWordings(store, server))}\n`)
    return ExitCode.ok
  }
  const waiting = await waitingChanges(store, server, options)
  if (options.approve || options.deny) return decide(context, store, waiting, options)
  if (options.json) {
    stdout.write(`${terminalJson(waiting)}\n`)
    return ExitCode.ok
  }
  const undecided = waiting.filter((change) => !change.denied && options.isConfigured(change))
  const isAllSeen = server === undefined || !options.failed.includes(server)
  if (undecided.length === 0 && isAllSeen) {
    stdout.write(
      server === undefined ? 'Nothing waits for you.\n' : `Nothing of "${server}" waits for you.\n`,
    )
  }
  const questions = options.yes || undecided.length === 0 ? undefined : openQuestions(context)
  try {
    for (const changes of byServer(undecided)) await decideServer(context, store, changes, questions)
  } finally {
    questions?.close()
  }
  const denied = waiting.filter((change) => change.denied).length
  if (denied > 0) {
    stdout.write(
      `Denied before and still blocked: ${denied}. "sluice review --json" shows them, --approve HASH lets one pass.\n`,
    )
  }
  return ExitCode.ok
}

/** Without a terminal approves all. */
async function decideServer(
  { stdout }: CliContext,
  store: PinStore,
  changes: readonly ReviewedChange[],
  questions: Questions | undefined,
): Promise<void> {
  const [{ identity, serverId } = { identity: '', serverId: '' }] = changes
  stdout.write(`${changes.map((change) => formatChange(change)).join('\n')}\n`)
  const answer = questions ? await askAboutAll(questions, serverId) : 'a'
  const hashes = new Set(changes.map(({ hash }) => hash))
  if (answer === 'a') {
    stdout.write(`Approved: ${store.approve(identity, hashes, BY).length} of "${serverId}".\n\n`)
  } else if (answer === 'd') {
    stdout.write(
      `Denied: ${store.deny(identity, hashes, BY).length} of "${serverId}". They stay blocked.\n\n`,
    )
  } else if (answer === 's' && questions) await decideEach(stdout, store, changes, questions)
  else stdout.write('Left as it was: blocked.\n\n')
}

/** For `some`. */
async function decideEach(
  stdout: CliContext['stdout'],
  store: PinStore,
  changes: readonly ReviewedChange[],
  questions: Questions,
): Promise<void> {
  for (const change of changes) {
    stdout.write(`\n${formatChange(change)}\n`)
    const answer = await questions.ask('Approve this? [y]es, [d]eny, anything else leaves it blocked: ')
    if (firstLetter(answer) === 'y') store.approve(change.identity, new Set([change.hash]), BY)
    if (firstLetter(answer) === 'd') store.deny(change.identity, new Set([change.hash]), BY)
  }
}

const askAboutAll = async (questions: Questions, serverId: string): Promise<string> =>
  firstLetter(
    await questions.ask(
      `Server "${serverId}": approve [a]ll of this, [s]ome, [d]eny, or leave it blocked (anything else)? `,
    ),
  )

const firstLetter = (answer: string): string => answer.toLowerCase().slice(0, 1)

function decide(
  { stdout }: CliContext,
  store: PinStore,
  waiting: readonly ReviewedChange[],
  { approve = [], deny = [] }: ReviewOptions,
): number {
  const find = (prefix: string): ReviewedChange => {
    if (prefix.length < SHORTEST_PREFIX) {
      throw new SluiceError(
        'BAD_INPUT',
        `"${prefix}" is too little of a hash: give its first ${SHORTEST_PREFIX} characters at least, as \`sluice review\` shows them.`,
      )
    }
    const found = waiting.filter(({ hash }) => hash.startsWith(prefix))
    if (found.length === 1 && found[0]) return found[0]
    if (found.length > 1 && found.every(({ hash }) => hash === found[0]?.hash)) {
      throw new SluiceError(
        'BAD_INPUT',
        `The same thing waits more than once: ${found.map(({ serverId, kind, name }) => `${kind} ${name} of ${serverId}`).join(', ')}. Name the server before --approve or --deny.`,
      )
    }
    throw new SluiceError(
      'BAD_INPUT',
      found.length === 0
        ? `Nothing that waits has a hash that begins with "${prefix}". It may have changed again: look at \`sluice review --json\`.`
        : `${found.length} things that wait have a hash that begins with "${prefix}". Give more of it.`,
    )
  }
  // Look up all before deciding the first: a wrong hash changes nothing.
  const [yes, no] = [approve.map(find), deny.map(find)]
  const twice = yes.find((change) => no.includes(change))
  if (twice) {
    throw new SluiceError(
      'BAD_INPUT',
      `The hash ${twice.hash.slice(0, SHORTEST_PREFIX)} is both approved and denied. Nothing was decided: give it once.`,
    )
  }
  for (const change of yes) store.approve(change.identity, new Set([change.hash]), BY)
  for (const change of no) store.deny(change.identity, new Set([change.hash]), BY)
  stdout.write(`Approved: ${yes.length}. Denied: ${no.length}.\n`)
  return ExitCode.ok
}

const wordingsOf = (store: PinStore, server: string | undefined) =>
  store.wordings.all().filter(({ serverId }) => server === undefined || serverId === server)

const approvedWordings = (store: PinStore, server: string | undefined) =>
  wordingsOf(store, server).map(({ serverId, kind, name, hash, definition }) => ({
    serverId,
    kind,
    name,
    hash,
    definition: JSON.parse(definition) as unknown,
  }))

function revoke(
  { stdout }: CliContext,
  store: PinStore,
  server: string | undefined,
  prefixes: readonly string[],
): number {
  const wordings = wordingsOf(store, server)
  // Look up all before revoking the first: a wrong hash changes nothing.
  const chosen = prefixes.flatMap((prefix) => {
    const found = wordings.filter(({ hash }) => hash.startsWith(prefix))
    if (prefix.length >= SHORTEST_PREFIX && found.length > 0) return found
    throw new SluiceError(
      'BAD_INPUT',
      `No approved wording has a hash that begins with "${prefix}". \`sluice review --approved\` shows them; give the first ${SHORTEST_PREFIX} characters at least.`,
    )
  })
  for (const { identity, hash } of chosen) store.revoke(identity, new Set([hash]), BY)
  stdout.write(`Taken back: ${chosen.length}.\n`)
  return ExitCode.ok
}

/** Servers with the same launch share what they offer; it is recorded under the one that was seen last. */
async function waitingChanges(
  store: PinStore,
  server: string | undefined,
  { scanChange, identity }: ReviewMeans,
): Promise<ReviewedChange[]> {
  const pending = store.pending().flatMap((change) => {
    if (server === undefined || change.serverId === server) return [change]
    const isShared = change.identity === identity && !isOfOtherEntry(change, server)
    return isShared ? [{ ...change, serverId: server }] : []
  })
  return Promise.all(
    pending.map((change) => reviewedChange(change, scanChange, store.toolsOfOthers(change.identity))),
  )
}

function byServer(changes: readonly ReviewedChange[]): ReviewedChange[][] {
  return [...Map.groupBy(changes, ({ identity }) => identity).values()]
}
