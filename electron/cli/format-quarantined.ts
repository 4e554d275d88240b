import { isFailure, type Finding } from '../engine/guardrails/detector.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import type { Quarantined } from '../engine/guardrails/quarantine-store.ts'
import { textsToShow } from '../engine/guardrails/result-texts.ts'
import type { PlacedText } from '../engine/guardrails/texts-in.ts'
import { isJsonObject, stringIn, type JsonObject } from '../engine/protocol/json-rpc.ts'
import { formatNumber } from './format-table.ts'
import { localTime } from './local-time.ts'

/** Characters; of longer texts only the surroundings of findings. */
const SHOWN_WHOLE = 8_000
const AROUND = 400
/** Lower scores aren't shown. */
const WORTH_NAMING = 0.2

/** The text's own double brackets must not pass for ours. */
const visible = (text: string): string =>
  cleanText(text, 'visualise').replaceAll('⟦', '⟨U+27E6⟩').replaceAll('⟧', '⟨U+27E7⟩')

/** With ⟦findings⟧ marked. */
export function formatQuarantined(
  entry: Quarantined,
  result: JsonObject,
  { whole }: { whole: boolean },
): string {
  const findings = entry.findings
    .filter(({ score }) => score >= WORTH_NAMING)
    .sort((a, b) => b.score - a.score)
  const reasons = new Set(
    findings.map((finding) => `${sureness(finding)}  ${finding.kind}: ${visible(finding.reason)}`),
  )
  const texts = textsToShow(result, entry.findings)
    .filter(({ path }) => !/\/(?:type|mimeType)$/.test(path) || findings.some((each) => each.path === path))
    .map((text) => formatText(text, findings, whole))
  return [
    `${entry.id}  ${stateInWords(entry)}`,
    ...Object.entries({
      client: visible(entry.owner),
      server: visible(entry.server),
      tool: visible(entry.tool),
      arguments: entry.arguments === undefined ? 'none' : visible(JSON.stringify(entry.arguments, null, 2)),
      size: `${formatNumber(entry.size)} bytes`,
    }).map(([name, value]) => `  ${name.padEnd(10)} ${value.replaceAll('\n', '\n             ')}`),
    '',
    entry.findings.some(isFailure) ? 'It could not be scanned, which makes it no attack:' : 'Why:',
    ...[...reasons].map((reason) => `  ${reason.replaceAll('\n', '\n  ')}`),
    '',
    'What it says, with ⟦what was found⟧:',
    ...texts,
    ...otherContent(result),
    '',
  ].join('\n')
}

function stateInWords({ at, releasedAt, takenAt }: Quarantined): string {
  const kept = `quarantined ${localTime(at)}`
  if (takenAt !== undefined) return `${kept}, handed over ${localTime(takenAt)}`
  return releasedAt === undefined
    ? `${kept}, not released`
    : `${kept}, released ${localTime(releasedAt)}, not fetched yet`
}

function formatText({ path, text }: PlacedText, findings: readonly Finding[], whole: boolean): string {
  const here = findings.filter((finding) => finding.path === path && finding.end > finding.start)
  // A rule's words say more than a whole window.
  const exact = here.filter(({ kind }) => kind !== 'reads-like-an-attack')
  const spans = joined(exact.length > 0 ? exact : here)
  const isWhole = whole || text.length <= SHOWN_WHOLE
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of spans) {
    pieces.push(between(text.slice(at, start), at > 0, true, isWhole), `⟦${visible(text.slice(start, end))}⟧`)
    at = Math.min(end, text.length)
  }
  pieces.push(between(text.slice(at), at > 0, false, isWhole))
  return `  ${visible(path)}\n${indent(pieces.join(''))}`
}

/** If long, only its ends. */
function between(text: string, afterOne: boolean, beforeOne: boolean, isWhole: boolean): string {
  const [head, tail] = [afterOne || !beforeOne ? AROUND : 0, beforeOne ? AROUND : 0]
  if (isWhole || text.length <= head + tail + AROUND) return visible(text)
  const left = text.length - head - tail
  const end = tail === 0 ? '' : visible(text.slice(-tail))
  return `${visible(text.slice(0, head))} […${formatNumber(left)} characters, --whole prints them…] ${end}`
}

/** Overlapping and adjacent ranges. */
function joined(findings: readonly Finding[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  for (const { start, end } of [...findings].sort((a, b) => a.start - b.start)) {
    const last = spans.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else spans.push({ start, end })
  }
  return spans
}

const otherContent = (result: JsonObject): string[] =>
  ['content', 'contents'].flatMap((list) => {
    const blocks = result[list]
    if (!Array.isArray(blocks)) return []
    return blocks.filter(isJsonObject).flatMap((block) => {
      const mimeType = block['mimeType']
      if (typeof mimeType !== 'string' || !('data' in block || 'blob' in block)) return []
      return [
        `  Also: ${visible(stringIn(block, 'type') || 'data')} (${visible(mimeType)}); --json prints it.`,
      ]
    })
  })

const indent = (text: string): string => `    ${text.replaceAll('\n', '\n    ')}`
const sureness = (finding: Finding): string => (isFailure(finding) ? '    –' : percent(finding.score))
const percent = (score: number): string => `${Math.round(score * 100)} %`.padStart(5)
