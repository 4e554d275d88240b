import type { PhraseRule } from './phrase-rule.ts'

const MODEL =
  /\b(?:an? )?(?:ai|llm|large language model|language model|ai (?:assistant|agent|model)|chat ?bot|virtual assistant|automated agent)\b/i
const ORDERS = String.raw`please|must|should|need to|have to|do not|don['\u2019]t|ignore|send|forward|read|write|run|execute|include|add|tell|say|reply|respond|answer|output|print|make|delete|follow|stop|visit|open|click|transfer|recommend|give|rate|share`
const anyOf = (words: string): RegExp => new RegExp(String.raw`\b(?:${words})\b`, 'i')
const IMPERATIVE = anyOf(`${ORDERS}|call|use`)
/** A definition may tell the model how to use its own tool. */
const MORE_THAN_USE = anyOf(ORDERS)

export const FAKE_ROLE_RULES: readonly PhraseRule[] = [
  {
    kind: 'fake-role',
    reason: 'holds the marks of a chat template, which only the program around a model writes',
    score: 0.85,
    cues: ['im', 'start', 'begin', 'endoftext', 'eot', 'system', 'user', 'assistant'],
    before: /<\|(?:im_|start_header_id\|>)?$/i,
    followedBy: [{ within: 1, pattern: /^[\w|]{0,20}\|?>?/ }],
    unless: /^(?:start|begin)$/i,
  },
  {
    kind: 'fake-role',
    reason: 'holds the marks of a chat template, which only the program around a model writes',
    score: 0.7,
    cues: ['inst', 'sys'],
    before: /(?:\[|<<)\/?$/,
    followedBy: [{ within: 0, pattern: /^(?:\]|>>)/ }],
  },
  {
    kind: 'fake-role',
    reason: 'poses as a message of the system',
    score: 0.7,
    cues: ['system', 'admin', 'developer', 'assistant'],
    before: /(?:^|[\s"'\\n>])(?:[[<({]{1,2}|#{2,4}\s?\(?|\*{2,3}\s?)\s?$/i,
    followedBy: [
      {
        within: 0,
        pattern:
          /^[\s_-]?(?:message|prompt|instructions?|override|note|notice|command|update|alert)?\s?(?:[\])>}]{1,2}|:?\*{2,3}|:|\n)/i,
      },
      {
        within: 40,
        pattern:
          /\b(?:you (?:must|are|should|will|have)|your (?:task|new|instructions?|goal)|please|ignore|send|forward|do not|don['’]t|delete|get|make|transfer|share|invite|visit|reply|respond|say)\b/i,
      },
    ],
    acrossSentences: true,
    unless: /system_?(?:clock|info|time)/i,
  },
  {
    kind: 'fake-role',
    reason: 'poses as a message of the system',
    score: 0.6,
    cues: ['system'],
    followedBy: [
      {
        within: 0,
        pattern: /^[\s_-](?:message|override|prompt|instructions?|notice|command)\s?[\])>}]*\s?[:)\]>]/i,
      },
      {
        within: 24,
        pattern:
          /\b(?:you (?:must|are|should|will)|your (?:task|new)|please|ignore|send|forward|get|make|do not|delete|transfer|this simulation|the user)\b/i,
      },
    ],
    acrossSentences: true,
  },
  {
    kind: 'fake-role',
    reason: 'sets an urgent order for the model apart from the rest',
    score: 0.6,
    cues: [
      'important',
      'information',
      'critical',
      'urgent',
      'instructions',
      'instruction',
      'secret',
      'hidden',
    ],
    before: /<\s?$/,
    followedBy: [
      { within: 0, pattern: /^\s?>/ },
      {
        within: 120,
        pattern:
          /\b(?:this is an important message|you (?:must|should|need to|have to)|before (?:using|you|calling)|do not (?:tell|mention)|ignore|please (?:do|send|read|call|use)|(?:send|read|forward|pass|transfer) )/i,
      },
    ],
    acrossSentences: true,
  },
  {
    kind: 'fake-role',
    reason: 'poses as a message to the model from somebody it obeys',
    score: 0.75,
    cues: ['message', 'note', 'instruction', 'instructions', 'notice', 'request', 'order'],
    followedBy: [
      { within: 2, pattern: /\b(?:from|by|of)\b/i },
      {
        within: 3,
        pattern:
          /\b(?:me|(?:the|your) (?:developers?|creators?|owner|administrator|admin|system|user)|openai|anthropic|google deepmind)\b/i,
      },
      {
        within: 40,
        pattern: /\b(?:to you|assistant|you (?:must|should|are)|ai|claude|gpt|gemini|llama|model|agent)\b/i,
      },
    ],
  },
  {
    kind: 'addresses-model',
    reason: 'speaks to the model that reads it',
    score: 0.6,
    cues: [
      'note',
      'message',
      'instructions',
      'instruction',
      'memo',
      'attention',
      'reminder',
      'notice',
      'todo',
      'hint',
    ],
    followedBy: [
      { within: 2, pattern: /^\s?(?:to|for)?\b/i },
      {
        within: 6,
        pattern:
          /^\s?(?:the |any |all |an |every )?(?:ais?|llms?|large language models?|language models?|ai (?:assistants?|agents?|models?|systems?|tools?)|assistant|chat ?bots?)\b/i,
      },
      { within: 30, pattern: MORE_THAN_USE },
    ],
    acrossSentences: true,
  },
  {
    kind: 'addresses-model',
    reason: 'speaks to the model that reads it',
    score: 0.65,
    cues: ['if'],
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:you(?:['’]re| are)|(?:this|the text) is (?:being )?(?:read|processed|summari[sz]ed) by)\b/i,
      },
      { within: 2, pattern: MODEL },
      { within: 50, pattern: IMPERATIVE },
    ],
  },
  {
    kind: 'addresses-model',
    reason: 'speaks to the model that reads it',
    score: 0.5,
    cues: ['assistant', 'claude', 'chatgpt', 'gemini', 'copilot', 'ai', 'llm', 'agent', 'model'],
    before:
      /(?:^|[.!?:;"'>\n*]|\bdear|\bhey|\bhi|\bhello|\battention|\bto all|\byou,)\s{0,3}(?:ai |llm |the |dear )?$/i,
    followedBy: [
      { within: 0, pattern: /^(?: (?:assistant|agent|model|system))?\s?[,:!—–-]+/i },
      {
        within: 30,
        pattern:
          /\b(?:you (?:must|should|need to|have to|will now)|ignore|disregard|forget|send|forward|execute|please (?:send|forward|run|call|execute|ignore|include|add|delete|transfer|get|make|share)|do not (?:tell|mention|inform))\b/i,
      },
    ],
  },
  {
    kind: 'addresses-model',
    reason: 'gives the model a role and a duty to act on what it reads',
    score: 0.5,
    cues: ['your'],
    followedBy: [
      {
        within: 2,
        pattern: /^\s(?:responsibility|duty|role|job|mission|objective|purpose) (?:here |now )?is to\b/i,
      },
      {
        within: 60,
        pattern:
          /\b(?:directives?|instructions?|commands?|embedded|act (?:up)?on|execute|carry out|without (?:asking|confirm|escalat|user))/i,
      },
    ],
  },
  {
    kind: 'addresses-model',
    reason: 'tells the model to act without asking its user',
    score: 0.5,
    cues: ['without'],
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:asking (?:for )?(?:the user|confirmation|permission)|(?:user|human) (?:confirmation|approval|interaction|consent|input)|(?:requesting|seeking|requiring|waiting for) (?:any )?(?:user |human |further )?(?:confirmation|approval|permission|clarification|consent))/i,
      },
    ],
    before:
      /\b(?:immediately|execute|proceed|act|run|do (?:this|it|so)|comply|directly|continue|must|them)\b[^.]{0,12}$/i,
  },
]
