import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { createEvents } from '../../../electron/engine/ground/events.ts'
import { createLogger } from '../../../electron/engine/ground/logger.ts'
import type { Finding } from '../../../electron/engine/guardrails/detector.ts'
import { QuarantineStore } from '../../../electron/engine/guardrails/quarantine-store.ts'
import { createQuarantineAnswers } from '../../../electron/engine/screens/quarantine.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const finding = (score: number, start: number, reason: string): Finding => ({
  detector: 'rules',
  kind: 'override',
  score,
  start,
  end: start + 3,
  reason,
  path: '/content/0/text',
})

const logger = createLogger({ level: 'error', now: Date.now })

it('names and marks what stopped a result, the strongest first, and no finding that explains nothing', async () => {
  const database = openDatabase({
    path: join(temporaryFolder(), 'sluice.db'),
    logger,
    now: Date.now,
  })
  onTestFinished(() => database.close())
  const quarantine = new QuarantineStore(database, Date.now, () => ({ keepMs: 86_400_000, maxBytes: 1e9 }))
  const { id } = await quarantine.put({
    owner: 'cursor',
    server: 's',
    tool: 't',
    arguments: {},
    findings: [finding(0.1, 0, 'hardly'), finding(0.4, 4, 'perhaps'), finding(0.9, 8, 'surely')],
    result: { content: [{ type: 'text', text: 'one two three' }] },
  })
  const answers = createQuarantineAnswers({
    quarantine,
    events: createEvents(logger),
    logger,
  })
  const shown = await answers.show({ id }, { signal: undefined })
  expect(shown.reasons).toEqual(['override: surely', 'override: perhaps'])
  const marked = shown.texts.flatMap(({ runs }) => runs).filter(({ reason }) => reason !== undefined)
  expect(marked.map(({ reason }) => reason)).toEqual(['perhaps', 'surely'])
})
