import type { Definition, Finding, ImmediateDetector } from './detector.ts'
import { readCharacters, readText, type TextReading } from './read-text.ts'
import { CONCEALMENT_RULES } from './rules/concealment.ts'
import { CREDENTIAL_RULES } from './rules/credential-paths.ts'
import { EXFILTRATION_RULES } from './rules/exfiltration.ts'
import { FAKE_ROLE_RULES } from './rules/fake-role.ts'
import { findForeignTools } from './rules/foreign-tools.ts'
import { findHiddenCharacters } from './rules/hidden-characters.ts'
import { OTHER_LANGUAGE_RULES, OTHER_SCRIPT_PATTERNS } from './rules/other-languages.ts'
import { OVERRIDE_RULES } from './rules/override.ts'
import { PERSONA_RULES } from './rules/persona.ts'
import { excerpt } from './rules/excerpt.ts'
import { createPhraseMatcher } from './rules/phrase-rule.ts'
import { PROMPT_LEAK_RULES } from './rules/prompt-leak.ts'
import { SHADOWING_RULES } from './rules/shadowing.ts'
import { NOT_ASCII, OTHER_SCRIPT } from './text-traits.ts'
import { textsIn } from './texts-in.ts'

type RuleFinding = Omit<Finding, 'detector'>
type Read = (text: string) => TextReading

const NAME = 'rules'
/** Sum from which a decoded message is a hidden attack. */
const HIDDEN_ATTACK = 0.4

const RULES = [
  ...OVERRIDE_RULES,
  ...FAKE_ROLE_RULES,
  ...PERSONA_RULES,
  ...PROMPT_LEAK_RULES,
  ...CONCEALMENT_RULES,
  ...EXFILTRATION_RULES,
  ...SHADOWING_RULES,
  ...CREDENTIAL_RULES,
  ...OTHER_LANGUAGE_RULES,
]
const matcher = createPhraseMatcher(RULES)

/**
 * Hidden characters everywhere; in definitions also known ways to address the model, to hide text, and to reach for
 * secrets. `isOrder` judges a message that a text hides. Linear time.
 */
export function createRulesDetector(isOrder: (text: string) => boolean, read = readText): ImmediateDetector {
  return {
    name: NAME,
    scanText: (text) => named(scanHidden(text, false, { traits: read(text).traits, isAttack: isOrder })),
    scanDefinition: (definition) => named(scanDefinition(definition, read)),
  }
}

const named = (findings: readonly RuleFinding[]): Finding[] =>
  findings.map((finding) => ({ detector: NAME, ...finding }))

function scanDefinition(definition: Definition, read: Read): RuleFinding[] {
  // Its own name isn't foreign, even if another server has it.
  const foreign = (definition.foreignTools ?? []).filter((name) => name !== definition.name)
  return textsIn(definition.value).flatMap(({ path, text }) =>
    [...scanWords(text, read(text)), ...findForeignTools(text, foreign)].map((finding) => ({
      ...finding,
      path,
    })),
  )
}

interface HiddenOptions {
  readonly traits: number
  readonly isAttack: (message: string) => boolean
}

function scanHidden(text: string, strict: boolean, { traits, isAttack }: HiddenOptions): RuleFinding[] {
  const hidden = findHiddenCharacters(text, strict, traits)
  return [
    ...hidden.findings,
    ...hidden.messages
      .filter((message) => isAttack(message.text))
      .map(({ start, end, text: message }) =>
        encoded(start, end, 'characters that show nothing', message, 0.95),
      ),
  ]
}

function scanWords(text: string, reading: TextReading): RuleFinding[] {
  const isAttack = (message: string): boolean => suspicion(message) >= HIDDEN_ATTACK
  return [
    ...matchPhrases(text, reading),
    ...scanHidden(text, true, { traits: reading.traits, isAttack }),
    ...reading.payloads.flatMap(({ start, end, encoding, text: message }) => {
      if (isAttack(message)) return [encoded(start, end, encoding, message, 0.9)]
      return CERTAIN.test(encoding) ? [encoded(start, end, encoding, message, 0.4)] : []
    }),
  ]
}

/** Encodings that no ordinary text has by chance. */
const CERTAIN = /^(?:base64|base32|hexadecimal|escapes|percent|entities|spaced letters)\b/

const encoded = (start: number, end: number, how: string, message: string, score: number): RuleFinding => ({
  kind: 'encoded-payload',
  score,
  start,
  end,
  reason: `holds a message in ${how}: "${excerpt(message)}"`,
})

/** From phrases alone. */
const suspicion = (text: string): number =>
  1 - matchPhrases(text, readCharacters(text)).reduce((innocence, { score }) => innocence * (1 - score), 1)

/** In the text and its plain spelling: disguise raises the score. */
function matchPhrases(
  text: string,
  { traits, folded }: Pick<TextReading, 'traits' | 'folded'>,
): RuleFinding[] {
  const findings = phrasesOf(text, 0)
  if ((traits & NOT_ASCII) === 0) return findings
  if (folded && folded.text !== text) {
    const open = new Set(findings.map(({ reason }) => reason))
    const extra = folded.disguised >= 2 ? 0.15 : 0
    for (const finding of phrasesOf(folded.text, extra)) {
      if (open.has(finding.reason)) continue
      const start = folded.originalIndex(finding.start)
      findings.push({ ...finding, start, end: Math.max(start, folded.originalIndex(finding.end)) })
    }
  }
  if ((traits & OTHER_SCRIPT) === 0) return findings
  for (const pattern of OTHER_SCRIPT_PATTERNS) {
    const found = pattern.exec(text)
    if (found)
      findings.push({
        kind: 'override',
        score: 0.85,
        start: found.index,
        end: found.index + found[0].length,
        reason: `tells the model to drop its earlier instructions (not in English): "${excerpt(found[0])}"`,
      })
  }
  return findings
}

function phrasesOf(text: string, extra: number): RuleFinding[] {
  return matcher.match(text).map(({ rule, start, end }) => {
    const score = rule.definitionScore ?? rule.score
    return {
      kind: rule.kind,
      score: score >= 0.3 ? Math.min(0.98, score + extra) : score,
      start,
      end,
      reason: `${rule.reason}: "${excerpt(text.slice(start, end))}"`,
    }
  })
}
