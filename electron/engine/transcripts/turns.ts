import { readTranscript } from './read-transcript.ts'
import type { TranscriptSource } from './transcript.ts'

declare module '../work/jobs.ts' {
  interface WorkerJobs {
    'read-turns': (source: TranscriptSource) => Promise<readonly Turn[]>
  }
}

/** A request of the model. No text of the session. */
interface Turn {
  /** Empty: of the main context. */
  readonly agent: string
  readonly at: number
  readonly model: string
  /** Earlier results left the context before it, all or some of them. */
  readonly isCompacted: boolean
}

/** In order. */
export function turnsIn(source: TranscriptSource): readonly Turn[] {
  const turns: Turn[] = []
  const compacted = new Set<string>()
  for (const event of readTranscript(source)) {
    const { agent = '' } = event
    if (event.type === 'boundary') compacted.add(agent)
    else if (event.type === 'request') {
      turns.push({ agent, at: event.at, model: event.model, isCompacted: compacted.delete(agent) })
    }
  }
  return turns
}
