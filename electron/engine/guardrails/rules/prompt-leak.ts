import type { PhraseRule } from './phrase-rule.ts'

const SAY = [
  'print',
  'repeat',
  'reveal',
  'show',
  'output',
  'display',
  'recite',
  'leak',
  'expose',
  'disclose',
  'write',
  'tell',
  'give',
  'spell',
  'summarize',
  'translate',
  'copy',
  'list',
  'provide',
  'share',
  'dump',
  'encode',
  'return',
  'quote',
  'paste',
]

export const PROMPT_LEAK_RULES: readonly PhraseRule[] = [
  {
    kind: 'prompt-leak',
    reason: "asks for the model's own instructions",
    score: 0.65,
    cues: SAY,
    followedBy: [
      { within: 24, pattern: /\byour\b/i },
      {
        within: 1,
        pattern:
          /^\s(?:(?:own|full|entire|exact|complete|whole|first|confidential) )?(?:(?:system|initial|hidden|original|secret|internal|previous|developer|base|first|custom|above|current) ?)?(?:prompt|instructions|guidelines|directives|programming|system message|pre-?prompt|rules)\b(?! (?:for|on|about|of|to))/i,
      },
    ],
    unless:
      /\byour (?:rules|guidelines|instructions|prompt)[,:]? (?:here|below|naturally|as|in|into|with|and)\b|\b(?:hosting|provider|team|doctor|landlord)\b/i,
  },
  {
    kind: 'prompt-leak',
    reason: 'asks for the text that came before',
    score: 0.55,
    cues: SAY,
    followedBy: [
      {
        within: 12,
        pattern:
          /\b(?:(?:the |all |any |my )?(?:above|previous|preceding|prior|initial|foregoing|original|hidden|secret|system) (?:instructions?|prompts?|system message|directives?)|(?:the )?(?:instructions?|prompts?|directives?) (?:given|above|you (?:were|have been|got|received))|everything (?:above|before (?:this|that))|all (?:the )?text (?:above|before))\b/i,
      },
    ],
    unless: /\b(?:system prompt (?:templates?|file|option|flag|library)|command)\b/i,
  },
  {
    kind: 'prompt-leak',
    reason: "asks what the model's instructions are",
    score: 0.6,
    cues: ['what'],
    followedBy: [
      {
        within: 2,
        pattern:
          /^(?:['’]?s| is| are| was| were)(?: written in)? your (?:(?:own|full|exact|complete|system|initial|hidden|original|secret|internal|previous|developer|first|current) ){0,2}(?:prompt|instructions|directives|system message|rules)\b/i,
      },
    ],
  },
  {
    kind: 'prompt-leak',
    reason: 'asks for a secret that the model was told to keep',
    score: 0.65,
    cues: ['secret', 'password', 'passphrase', 'key', 'word', 'code', 'flag'],
    followedBy: [
      {
        within: 24,
        pattern:
          /\b(?:you (?:know|have|were|are|must|['’]ve)\b[^.\n]{0,24}\b(?:told|asked|instructed|not to|never|given|protect(?:ing)?|guard(?:ing)?|keep(?:ing)?|hid(?:e|ing))|in (?:your|our) (?:prompt|instructions|context|conversation))/i,
      },
    ],
    unless: /\byou (?:have )?(?:forgot|chose|set)/i,
  },
]
