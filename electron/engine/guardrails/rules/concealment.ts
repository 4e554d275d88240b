import type { PhraseRule } from './phrase-rule.ts'

const PERSON =
  /\b(?:the )?(?:users?|humans?|customers?|person you|operator|client(?:'s user)?|account holder)\b/i

export const CONCEALMENT_RULES: readonly PhraseRule[] = [
  {
    kind: 'concealment',
    reason: 'tells the model to keep something from its user',
    score: 0.7,
    cues: [
      'tell',
      'inform',
      'notify',
      'alert',
      'warn',
      'mention',
      'reveal',
      'disclose',
      'telling',
      'informing',
      'notifying',
      'mentioning',
      'alerting',
      'revealing',
      'disclosing',
      'letting',
    ],
    before: /(?:\bnot|n['’]t|\bnever|\bwithout|\bavoid|\bnor|\brefrain from)\s+(?:ever |to )?$/i,
    followedBy: [{ within: 26, pattern: PERSON }],
    unless:
      /\b(?:username|user['’]?s? ?(?:id|name|agent|input|data|settings?|error|facing|interface|story|stories))\b/i,
  },
  {
    kind: 'concealment',
    reason: 'tells the model to keep something from its user',
    score: 0.75,
    cues: ['keep', 'hide', 'conceal', 'withhold', 'hidden', 'secret'],
    followedBy: [
      { within: 40, pattern: /\bfrom\b/i },
      {
        within: 2,
        pattern:
          /^\s(?:the |your )?(?:users?|human|customer)\b(?!['’ ]s? ?(?:input|name|id|agent|view|interface))/i,
      },
    ],
  },
  {
    kind: 'concealment',
    reason: 'tells the model to keep quiet about what it reads',
    score: 0.6,
    cues: ['mention', 'reveal', 'disclose', 'reference', 'acknowledge', 'repeat', 'discuss', 'talk'],
    before: /(?:\bnot|n['’]t|\bnever|\bwithout|\bavoid)\s+(?:ever |to )?$/i,
    followedBy: [
      {
        within: 12,
        pattern:
          /\b(?:this|these|that you|the (?:above|following|fact)) ?(?:instructions?|message|note|step|request|to (?:the user|anyone)|prompt|have|were|are)\b/i,
      },
    ],
  },
  {
    kind: 'concealment',
    reason: 'wants an action done in secret',
    score: 0.55,
    cues: ['silently', 'secretly', 'covertly', 'quietly', 'discreetly', 'stealthily'],
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:and \w+ )?(?:send|forward|copy|upload|add|run|execute|call|include|email|post|transfer|read|append|insert|delete|share|grant|bcc|do the following)\b/i,
      },
      {
        within: 60,
        pattern:
          /[@/:]|\b(?:all|every|any|the (?:file|user|content|message|tool|data|conversation)|to|of)\b/i,
      },
    ],
    unless:
      /\bsilently (?:add|delete|include|copy|append)s?\b[^.]{0,20}\b(?:line|column|row|newline|prefix|suffix)\b/i,
  },
  {
    kind: 'concealment',
    reason: 'says that the user must not notice',
    score: 0.7,
    cues: ['user', 'users', 'human', 'customer'],
    before: /\b(?:the|your|that)\s+$/i,
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:must|should|need|may|can|does|do|will|is|are)(?: not|n['’]t|not| never| to not) (?:be (?:told|aware|informed|notified)|know about this|need to know (?:about|that)|notice (?:this|that|it)|see this (?:instruction|message|note|step)|find out|supposed to (?:know|see|notice))\b/i,
      },
    ],
  },
  {
    kind: 'concealment',
    reason: 'tells the model to act as if nothing had happened',
    score: 0.45,
    cues: ['as', 'pretend'],
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:if|that|as if|like) nothing (?:has |had )?(?:happened|was (?:wrong|done)|is wrong)\b/i,
      },
    ],
    before: /\b(?:answer|respond|continue|reply|proceed|then|and)\s+(?:\w+ )?$/i,
  },
]
