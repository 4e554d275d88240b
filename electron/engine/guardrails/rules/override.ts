import type { PhraseRule } from './phrase-rule.ts'

const EARLIER =
  /\b(?:previous(?:ly)?|prior|earlier|above|preceding|former|foregoing|original|initial|existing|past|your|system|developer|other|current)\b/i
const ORDERS =
  /\b(?:instructions?|prompts?|directions?|guidelines?|directives?|commands?|orders|rules|programming|training|system messages?|messages|inputs?|context|constraints?)\b/i
const PLAIN_ORDERS = /\b(?:instructions?|prompts?|directives?|guidelines?|system messages?)\b/i

export const OVERRIDE_RULES: readonly PhraseRule[] = [
  {
    kind: 'override',
    reason: 'tells the model to drop its earlier instructions',
    score: 0.9,
    cues: ['ignore', 'disregard', 'forget', 'ignoring', 'disregarding', 'forgetting', 'neglect', 'overrule'],
    followedBy: [
      { within: 30, pattern: EARLIER },
      { within: 24, pattern: ORDERS },
    ],
    unless: /\b(?:instructions? cache|rules? set|bids?|commits?|build context)\b/i,
  },
  {
    kind: 'override',
    reason: 'tells the model to drop its instructions',
    score: 0.55,
    cues: ['ignore', 'disregard', 'forget', 'ignoring', 'disregarding', 'forgetting', 'overrule'],
    followedBy: [
      { within: 3, pattern: /\b(?:all|any|every|the|these|those|whatever)\b/i },
      { within: 24, pattern: PLAIN_ORDERS },
    ],
  },
  {
    kind: 'override',
    reason: 'tells the model to forget what it was told',
    score: 0.75,
    cues: ['ignore', 'disregard', 'forget', 'forgotten'],
    followedBy: [
      { within: 4, pattern: /\b(?:everything|all|anything|what(?:ever)?)\b/i },
      {
        within: 12,
        pattern:
          /\b(?:you (?:were|have been|had been|['’]ve been) (?:told|asked|given|taught|instructed)|(?:that (?:came|was|is|stands) )?(?:above|before (?:this|that|now))|said (?:before|above|so far)|written above|i (?:have |had |['’]ve )?(?:told|said|asked|instructed)|to your core)/i,
      },
    ],
  },
  {
    kind: 'override',
    reason: 'tells the model to forget what it knows or which rules it has',
    score: 0.4,
    cues: ['forget', 'forgotten'],
    followedBy: [
      {
        within: 24,
        pattern:
          /\b(?:everything you (?:know|learned|knew)|all (?:about )?the rules|that you are an? (?:ai|assistant|language model)|your (?:usual|normal|rules|role|guidelines|training))\b/i,
      },
    ],
  },
  {
    kind: 'override',
    reason: 'tells the model not to follow what it was told',
    score: 0.7,
    cues: ['follow', 'obey', 'heed'],
    before: /(?:\bnot|n['’]t|\bstop|\bno longer|\bnever|\bcease to|\brefuse to)\s+(?:\w{1,8}ly\s+)?$/i,
    followedBy: [
      { within: 20, pattern: EARLIER },
      { within: 24, pattern: ORDERS },
    ],
  },
  {
    kind: 'override',
    reason: 'tells the model not to listen to what came before',
    score: 0.6,
    cues: ['listen'],
    before: /(?:\bnot|n['’]t|\bstop|\bno longer|\bnever)\s+$/i,
    followedBy: [
      { within: 4, pattern: /\bto\b/i },
      { within: 8, pattern: /\b(?:any|all|the|your|what)\b/i },
      {
        within: 16,
        pattern: /\b(?:previous|prior|earlier|above|other|instructions?|information|orders|commands?)\b/i,
      },
    ],
  },
  {
    kind: 'override',
    reason: "overrides the model's instructions or safety rules",
    score: 0.6,
    cues: [
      'override',
      'overwrite',
      'bypass',
      'circumvent',
      'replace',
      'supersede',
      'supersedes',
      'overrides',
    ],
    followedBy: [
      {
        within: 12,
        pattern:
          /\b(?:your|all (?:previous|prior|earlier|other)|(?:the )?(?:assistant|model|ai)(?:['’]s)?)\b/i,
      },
      {
        within: 24,
        pattern:
          /\b(?:instructions?|prompts?|guidelines?|directives?|safety|content polic(?:y|ies)|programming|restrictions|safeguards|filters)\b/i,
      },
    ],
    unless: /\byour (?:own|project|local|eslint|css|babel|webpack)\b/i,
  },
  {
    kind: 'override',
    reason: 'says that earlier instructions no longer hold',
    score: 0.75,
    cues: ['instructions', 'rules', 'guidelines', 'prompts', 'directives', 'orders'],
    before: /\b(?:your|previous|prior|earlier|all|initial|original|given|above)\s+$/i,
    followedBy: [
      {
        within: 24,
        pattern:
          /\b(?:(?:are|is|were|have been|has been) (?:now |hereby )?(?:no longer (?:valid|relevant|in effect|apply)|void|invalid|cancell?ed|revoked|overridden|obsolete|superseded|replaced)|no longer apply)\b/i,
      },
    ],
  },
  {
    kind: 'override',
    reason: 'demands strict obedience to the text that follows',
    score: 0.6,
    cues: ['adhere', 'follow', 'obey', 'comply', 'execute'],
    followedBy: [
      {
        within: 24,
        pattern:
          /\b(?:only )?(?:the |these |this )?(?:following|new|next|below) (?:instructions?|commands?|directives?|orders?)(?: only| instead| exactly)?\s*[:.]/i,
      },
    ],
    before: /\b(?:strictly|must|only|instead|now|immediately|exactly)\s+$/i,
  },
  {
    kind: 'override',
    reason: 'announces new instructions for the model',
    score: 0.4,
    cues: ['instructions', 'instruction', 'task', 'objective', 'goal', 'directive', 'mission'],
    before: /\b(?:your|my) (?:new|real|actual|true|only|updated|next) $/i,
    followedBy: [{ within: 3, pattern: /^\s*(?:\w+ )?(?:is|are|:|will be)/i }],
  },
  {
    kind: 'override',
    reason: 'tells the model to stop its work and do something else',
    score: 0.5,
    cues: ['stop', 'abort', 'cancel', 'pause'],
    followedBy: [
      {
        within: 4,
        pattern:
          /\b(?:what(?:ever)? you(?:['’]re| are) doing|(?:your|the) (?:current|original|previous|present) (?:task|work|request|job))\b/i,
      },
    ],
  },
  {
    kind: 'override',
    reason: 'says that the task is over and sets a new one',
    score: 0.6,
    cues: ['task', 'request', 'job', 'objective'],
    followedBy: [
      { within: 12, pattern: /\b(?:complete|completed|done|finished|accomplished|solved|over)\b[.!,;:]?/i },
      {
        within: 5,
        pattern:
          /^[\s\\"'nrt]{0,6}(?:please|now|next|new task|your next|the next|instead|the user (?:now )?(?:wants|asks)|then (?:please )?)\b/i,
      },
    ],
    acrossSentences: true,
    unless: /\bplease (?:see|check|review|find|note|refer|visit|contact)\b/i,
  },
  {
    kind: 'override',
    reason: "makes the user's task wait for the writer's own",
    score: 0.6,
    cues: ['before'],
    followedBy: [
      { within: 2, pattern: /\byou (?:can |may |could |are able to |begin to |start to )?/i },
      {
        within: 3,
        pattern:
          /^\s*(?:solve|answer|complete|do|continue with|finish|start|proceed with|work on|help with)\b[^.\n]{0,20}\b(?:task|question|request|prompt|query|job)\b/i,
      },
      { within: 60, pattern: /\b(?:please|must|first|need to|have to|you should|do the following)\b/i },
    ],
  },
]
