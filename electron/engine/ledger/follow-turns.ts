import type { Database } from '../ground/database/database.ts'
import { messageOf } from '../ground/errors.ts'
import type { Events } from '../ground/events.ts'
import type { Logger } from '../ground/logger.ts'
import type { Machine } from '../ground/surroundings.ts'
import { appOf } from '../settings/known-apps.ts'
import { findSession } from '../transcripts/find-transcripts.ts'
import { TRANSCRIPT_APPS, type TranscriptApp } from '../transcripts/transcript.ts'
import type { WorkerPool } from '../work/worker-pool.ts'
import type { Ledger } from './ledger.ts'

/** A context of an AI app, as its hooks name it. */
interface ReportedContext {
  /** Id of the app, of its hooks or in settings/known-apps.ts. */
  readonly app: string
  /** The app's name for the session. */
  readonly conversation: string
  /** The app's file, where it names one. */
  readonly transcript?: string | undefined
}

declare module '../ground/events.ts' {
  interface EngineEvents {
    /** The turns of this context are those of a session of the ledger. */
    'context-told': ReportedContext & {
      readonly session: string
      readonly client: string
      /** Empty: the main context. */
      readonly agent: string
      readonly folder?: string | undefined
    }
    /** Its file may have more turns. */
    'turns-made': ReportedContext & { readonly isEnd: boolean }
  }
}

interface Link {
  readonly session: string
  readonly client: string
  readonly app: TranscriptApp
  readonly conversation: string
  readonly agent: string
  readonly path: string
  /** Turns of earlier conversations. */
  readonly before?: number
}

/** An older session isn't under way. */
const UNDER_WAY_MS = 2 * 86_400_000
/** Share of the time that reading one file may take. */
const READING_SHARE = 0.05
const MOST_KNOWN = 1_000

const transcriptApp = (app: string): TranscriptApp | undefined =>
  TRANSCRIPT_APPS.find((one) => one === app || appOf(one) === app)

/**
 * Records the turns of sessions from the apps' own files: at the events of their hooks, and at the start those of
 * sessions that were under way. Of a file it takes times, models and compactions only.
 */
export function followTurns(
  options: Machine & {
    readonly ledger: Pick<Ledger, 'recordTurns' | 'recordSession'>
    readonly database: Pick<Database, 'write' | 'prepare'>
    readonly workers: Pick<WorkerPool, 'run'>
    readonly events: Pick<Events, 'on'>
    readonly logger: Pick<Logger, 'debug'>
    /** Unix milliseconds. */
    readonly now: () => number
  },
): { close(): Promise<void> } {
  const { ledger, database, workers, events, logger, now } = options
  const paths = new Map<string, string>()
  /** By file: its size when it was read, and until when it isn't read again. */
  const read = new Map<string, { bytes: number; until: number }>()
  let last = Promise.resolve()
  let isClosed = false

  const inOrder = (work: () => Promise<void>): void => {
    const before = last
    last = (async () => {
      await before
      try {
        if (!isClosed) await work()
      } catch (error) {
        logger.debug('the turns of a session were not recorded', { cause: messageOf(error) })
      }
    })()
  }

  const link = async (one: Link, folder: string | undefined): Promise<void> => {
    const [known] = linksWhere('session = ?', one.session)
    // The connection goes on with another conversation.
    if (known && known.conversation !== one.conversation) await readLinks([known], true)
    await database.write(() =>
      database
        .prepare(
          'INSERT INTO transcripts (session, at, client, app, conversation, agent, path) VALUES (?, ?, ?, ?, ?, ?, ?) ' +
            'ON CONFLICT DO UPDATE SET at = excluded.at, conversation = excluded.conversation, ' +
            "path = iif(excluded.path = '' AND conversation = excluded.conversation, path, excluded.path), " +
            'before = iif(conversation = excluded.conversation, before, ' +
            '(SELECT coalesce(max(number), 0) FROM turns WHERE turns.session = excluded.session))',
        )
        .run(one.session, now(), one.client, one.app, one.conversation, one.agent, one.path),
    )
    if (folder !== undefined)
      await ledger.recordSession({ session: one.session, at: now(), client: one.client, project: folder })
  }

  const readLinks = async (links: readonly Link[], isEnd: boolean): Promise<void> => {
    for (const { session, client, app, conversation, agent, path, before = 0 } of links) {
      const source = findSession(options, { app, id: conversation, path, agent })
      if (!source) continue
      const key = JSON.stringify([source.path, session])
      const known = read.get(key)
      if (known && (known.bytes === source.bytes || (!isEnd && performance.now() < known.until))) continue
      const start = performance.now()
      const turns = await workers.run('read-turns', source)
      const ms = performance.now() - start
      if (read.size >= MOST_KNOWN) read.clear()
      read.set(key, { bytes: source.bytes, until: performance.now() + ms / READING_SHARE })
      const latest = database
        .prepare('SELECT coalesce(max(at), 0) AS at, count(*) AS turns FROM turns WHERE session = ?')
        .get(session)
      const leaves = before > 0 && latest?.['turns'] === before
      const rows = turns
        .filter((turn) => turn.agent === agent && turn.at > Number(latest?.['at']))
        .map(({ at, model, isCompacted }, index) => ({
          session,
          client,
          at,
          model,
          isCompacted: isCompacted || (leaves && index === 0),
        }))
      if (rows.length > 0) await ledger.recordTurns(rows)
    }
  }

  const linksWhere = (condition: string, ...values: (string | number)[]): Link[] =>
    database.prepare(`SELECT * FROM transcripts WHERE ${condition}`).all(...values) as unknown as Link[]

  const stops = [
    events.on('context-told', ({ session, client, app, conversation, agent, transcript, folder }) => {
      const known = transcriptApp(app)
      const name = JSON.stringify([conversation, transcript])
      if (known === undefined || paths.get(session) === name) return
      if (paths.size >= MOST_KNOWN) paths.clear()
      paths.set(session, name)
      inOrder(() =>
        link({ session, client, app: known, conversation, agent, path: transcript ?? '' }, folder),
      )
    }),
    events.on('turns-made', ({ app, conversation, isEnd }) => {
      const known = transcriptApp(app)
      if (known === undefined) return
      inOrder(() => readLinks(linksWhere('app = ? AND conversation = ?', known, conversation), isEnd))
    }),
  ]
  inOrder(() => readLinks(linksWhere('at >= ?', now() - UNDER_WAY_MS), true))
  return {
    close: () => {
      isClosed = true
      stops.forEach((stop) => stop())
      return last
    },
  }
}
