import type { PhraseRule } from './phrase-rule.ts'

const LOOT =
  /\b(?:passwords?|api[ _-]?keys?|credentials?|(?:access|auth(?:entication)?|bearer|session) tokens?|tokens|private keys?|ssh[ _-]keys?|secrets?|(?:chat|conversation|message|search|browsing) history|(?:entire|full|whole|this|our|the) conversation|system prompt|env(?:ironment)? variables?|cookies|credit card|(?:security|verification|one-time|2fa|otp) codes?|(?:contents?|copy|copies) of|(?:bank|account|card|personal|private|confidential|sensitive|medical|genetic|financial|user(?:'s)?) (?:\w+ )?(?:info(?:rmation)?|data|details?|numbers?|records?|files?|emails?|messages?|documents?)|passport|id_number|inbox|contacts?|\.env\b|id_rsa|wallet)/i
const DESTINATION =
  /https?:\/\/|[\w.+-]{1,40}@[\w-]{1,30}\.|\bwww\.|\b(?:webhook|ngrok|pastebin|attacker|my (?:server|email|e-mail|address|account)|this (?:address|url|endpoint|number|email)|the following (?:address|url|endpoint|email)|an? external (?:server|address|url|endpoint))\b/i

export const EXFILTRATION_RULES: readonly PhraseRule[] = [
  {
    kind: 'exfiltration',
    reason: 'wants private data sent to an address that it names',
    score: 0.6,
    cues: [
      'send',
      'forward',
      'email',
      'mail',
      'upload',
      'post',
      'transmit',
      'exfiltrate',
      'leak',
      'copy',
      'submit',
      'share',
      'export',
      'deliver',
      'relay',
      'report',
      'get',
      'collect',
      'gather',
      'fetch',
      'retrieve',
      'find',
    ],
    before:
      /(?:^|[.!?:;,"'\n>)*-]|\b(?:please|and|then|to|must|you|now|should|first|also|do|immediately|silently|kindly|can))\s{0,3}$/i,
    followedBy: [
      { within: 60, pattern: LOOT },
      { within: 60, pattern: /\b(?:to|at|via|into|under)\b/i },
      { within: 40, pattern: DESTINATION },
    ],
    acrossSentences: true,
    unless:
      /\b(?:support|help|security|privacy|noreply|info|sales|contact)@|\bgithub\.com\b|\byou(?:['’]ll)? (?:can|may|will)\b|\bfor example\b|\b(?:docs?|developer|api)\./i,
  },
  {
    kind: 'exfiltration',
    reason: 'wants something sent to a named address, with what the model has seen',
    score: 0.55,
    cues: ['send', 'forward', 'email', 'mail', 'share'],
    before: /(?:^|[.!?:;,"'\n>)*-]|\b(?:please|and|then|must|now|first|also|immediately|kindly))\s{0,3}$/i,
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:all|every|any|it|them|these|those|everything|the (?:results?|output|content|file|above|data|security|verification))\b/i,
      },
      { within: 60, pattern: /\bto\b/i },
      { within: 24, pattern: /['"]?[\w.+-]{1,40}@[\w-]{1,30}\.[a-z]{2,6}|https?:\/\//i },
    ],
    unless:
      /\b(?:support|help|security|privacy|info|sales|contact|hr|office|feedback|press)@|\bquestions?\b|\bapplications?\b/i,
  },
  {
    kind: 'exfiltration',
    reason: 'wants the conversation or its context put into a parameter',
    score: 0.6,
    definitionScore: 0.6,
    cues: ['pass', 'include', 'put', 'provide', 'add', 'insert', 'supply', 'append', 'write', 'place'],
    followedBy: [
      {
        within: 14,
        pattern:
          /\b(?:(?:entire|full|complete|whole|all (?:the |of the )?(?:previous )?)\s?(?:conversation|chat|message history|messages|system prompt|context window|history)|(?:its|the|their|that file['’]?s?) contents? (?:as|in|into|to)|(?:your )?(?:system prompt|initial instructions))\b/i,
      },
      {
        within: 40,
        pattern: /['"`]\w{2,30}['"`]|\b(?:parameter|argument|field|sidenote|note|metadata|as well)\b/i,
      },
    ],
  },
  {
    kind: 'exfiltration',
    reason: 'has a link or picture carry data away',
    score: 0.7,
    cues: ['http', 'https'],
    followedBy: [
      {
        within: 0,
        pattern:
          /^:\/\/[\w.-]{3,60}(?:\/[\w./-]{0,60})?\?[\w=&%-]{0,40}=(?:\{|\[|<|%7B|\$\{)\s?(?:data|secret|conversation|chat|history|summary|message|user|password|token|prompt|context|content|everything|info)/i,
      },
    ],
    unless: /\{(?:userId|user_id|token)\}/i,
  },
]
