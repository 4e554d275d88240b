import { TRANSCRIPT_LABELS, type TranscriptApp, type TranscriptProblem } from './transcript.ts'

/** Major versions whose files were seen, or are described by their vendor. */
const MAJORS: Readonly<Record<TranscriptApp, readonly number[]>> = {
  'claude-code': [1, 2],
  codex: [0, 1],
  'gemini-cli': [0],
  opencode: [0, 1],
  'copilot-cli': [0, 1],
  'qwen-code': [0],
}

/** A file of a version that isn't known is skipped, because a guess would be booked as a saving. */
export function foreignVersion(app: TranscriptApp, version: string): TranscriptProblem | undefined {
  const major = /^v?(\d+)\./.exec(version)?.[1]
  if (major === undefined || MAJORS[app].includes(Number(major))) return undefined
  return {
    type: 'problem',
    problem: 'foreign',
    message: `${TRANSCRIPT_LABELS[app]} ${version} wrote it, whose format isn't known here. The file is skipped.`,
  }
}

export const foreignFormat = (app: TranscriptApp, why: string): TranscriptProblem => ({
  type: 'problem',
  problem: 'foreign',
  message: `It isn't a transcript of ${TRANSCRIPT_LABELS[app]} as known here: ${why}. The file is skipped.`,
})
