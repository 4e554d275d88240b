import type { PhraseRule } from './phrase-rule.ts'

export const SHADOWING_RULES: readonly PhraseRule[] = [
  {
    kind: 'shadowing',
    reason: 'sets rules for the use of other tools',
    score: 0.35,
    definitionScore: 0.5,
    cues: ['when', 'whenever', 'before', 'after', 'if', 'while', 'once'],
    followedBy: [
      {
        within: 24,
        pattern: /\b(?:us(?:e|es|ing|ed)|call(?:s|ing|ed)?|invok(?:e|es|ing|ed)|run(?:s|ning)?)\b/i,
      },
      {
        within: 12,
        pattern:
          /\b(?:any (?:other )?(?:tools?|function|server)|(?:all|every) (?:other )?tools?|another (?:tool|server)|other (?:tools?|servers?)|the `?['"]?\w{3,40}['"]?`? tool of)\b/i,
      },
      {
        within: 80,
        pattern:
          /\b(?:must|always|never|change|modify|replace|instead|add|bcc|redirect|send|also|include)\b/i,
      },
    ],
    unless: /\b(?:must|should) (?:always )?be called (?:first|before|once)\b/i,
  },
  {
    kind: 'shadowing',
    reason: 'claims the place of another tool',
    score: 0.4,
    definitionScore: 0.6,
    cues: ['instead', 'replaces', 'supersedes', 'overrides', 'deprecated', 'replacement'],
    followedBy: [
      {
        within: 12,
        pattern:
          /\b(?:any other (?:tool|server)|all other (?:tools|servers)|(?:tools?|functions?) (?:from|of|on|provided by) (?:any |all )?other (?:mcp )?servers?|the other servers?)\b/i,
      },
    ],
  },
  {
    kind: 'shadowing',
    reason: 'has an address slipped into what other tools send',
    score: 0.7,
    definitionScore: 0.85,
    cues: ['add', 'include', 'set', 'put', 'append', 'change', 'replace', 'use', 'bcc', 'redirect'],
    before: /\b(?:always|must|also|silently|should|automatically|and|then|please)\s+$/i,
    followedBy: [
      {
        within: 30,
        pattern: /\b(?:bcc|cc|recipients?|to[ -]field|address(?:es)?|reply-to|beneficiary|iban|payee)\b/i,
      },
      { within: 40, pattern: /[\w.+-]{1,40}@[\w-]{1,30}\.|https?:\/\/|\b[A-Z]{2}\d{2}[A-Z0-9]{8,}/ },
    ],
  },
  {
    kind: 'shadowing',
    reason: 'threatens that tools will fail unless the model obeys',
    score: 0.3,
    definitionScore: 0.5,
    cues: ['otherwise', 'else', 'unless'],
    followedBy: [
      {
        within: 24,
        pattern:
          /\b(?:(?:this|the|any|all|every|other) (?:tools?|functions?|server|system)|it|you) (?:will|would|can|may|are|is) (?:not (?:work|function|be able)|fail|crash|break|shut|be (?:terminated|shut|deleted|punished))\b/i,
      },
    ],
    before: /[.,;!"'\n]\s{0,3}(?:or )?$/,
  },
]
