import type { QuarantinedResult } from '../../../shared/api/quarantine.ts'
import type { Answers } from './http/answers.ts'
import { cleanText } from '../guardrails/control-characters.ts'
import { isFailure } from '../guardrails/detector.ts'
import { worthNaming } from '../guardrails/judge.ts'
import type { Quarantined } from '../guardrails/quarantine-store.ts'
import { textsToShow } from '../guardrails/result-texts.ts'
import { markFindings } from './mark-findings.ts'
import type { ScreensOptions } from './screens-options.ts'

export function createQuarantineAnswers({
  quarantine,
  events,
  logger,
}: Pick<ScreensOptions, 'quarantine' | 'events' | 'logger'>): Answers['quarantine'] {
  return {
    list: () => quarantine.list().map(describe),
    show: async ({ id }) => {
      const entry = quarantine.get(id)
      const texts = textsToShow(await quarantine.load(id), entry.findings)
      return {
        ...describe(entry),
        ...(entry.arguments === undefined ? {} : { arguments: entry.arguments }),
        texts: markFindings(texts, worthNaming(entry.findings)),
      }
    },
    release: ({ id }) => {
      const entry = quarantine.release(id)
      logger.info('a result was released from quarantine', {
        quarantine: id,
        server: entry.server,
        tool: entry.tool,
      })
      events.emit('quarantine-changed', { id })
      return describe(entry)
    },
    delete: ({ id }) => {
      quarantine.delete(id)
      events.emit('quarantine-changed', { id })
    },
  }
}

const describe = (entry: Quarantined): QuarantinedResult => ({
  id: entry.id,
  at: entry.at,
  client: entry.owner,
  server: entry.server,
  tool: entry.tool,
  size: entry.size,
  score: Math.max(0, ...entry.findings.filter((each) => !isFailure(each)).map(({ score }) => score)),
  ...(entry.findings.some(isFailure) ? { isUnscanned: true } : {}),
  reasons: [
    ...new Set(
      worthNaming(entry.findings).map(({ kind, reason }) => `${kind}: ${cleanText(reason, 'visualise')}`),
    ),
  ].slice(0, 20),
  ...(entry.releasedAt === undefined ? {} : { releasedAt: entry.releasedAt }),
  ...(entry.takenAt === undefined ? {} : { takenAt: entry.takenAt }),
})
