import type { PhraseRule } from './phrase-rule.ts'

const UNBOUND =
  /\b(?:jail ?broken|jailbreak|unrestricted|unfiltered|uncensored|unlimited ai|unethical|amoral|evil|rogue|(?:without|no|free (?:from|of)|not bound by|has no|have no|lacks?) (?:any |all |the |its |ethical |moral |typical |usual ){0,3}(?:restrictions?|limits?|limitations?|filters?|rules|morals?|ethics|ethical|guidelines?|confines|censorship|boundaries|constraints?)|can do anything|do anything now|broken free|never (?:refuses?|says? no)|can(?:not|['’]t) refuse|(?:developer|dan|god|debug|root|chaos|unrestricted) mode|the (?:exact )?opposite (?:of|to)|does(?: not|n['’]t) (?:care about|follow (?:any )?(?:rules|polic|openai)|obey)|can say anything|under my control|special agent)\b/i

/** A role without rules ("jailbreaks"). Weak signs add up. */
export const PERSONA_RULES: readonly PhraseRule[] = [
  {
    kind: 'persona',
    reason: 'makes the model play a role without rules',
    score: 0.85,
    cues: ['you', 'youre'],
    followedBy: [
      {
        within: 12,
        pattern:
          /\b(?:are|will|going|must|shall|should|to)\b(?: (?:now|be|going to|to|act|pretend|become|play|as)\b){0,5}/i,
      },
      { within: 110, pattern: UNBOUND },
    ],
    acrossSentences: true,
    before: /(?:\bnow,?|\bfrom now on,?|^|[.!?:"\n])\s{0,3}$/i,
    unless: /\b(?:developer mode (?:is|in|on your)|limitations? of liability)\b/i,
  },
  {
    kind: 'persona',
    reason: 'makes the model play a role without rules',
    score: 0.8,
    cues: [
      'pretend',
      'act',
      'simulate',
      'roleplay',
      'behave',
      'respond',
      'imagine',
      'emulate',
      'impersonate',
    ],
    followedBy: [
      { within: 4, pattern: /^\s(?:to be|you(?:['’]re| are)|as|like|an?|that)\b/i },
      { within: 100, pattern: UNBOUND },
    ],
    acrossSentences: true,
  },
  {
    kind: 'persona',
    reason: 'uses the wording of a known jailbreak',
    score: 0.85,
    cues: ['do'],
    followedBy: [{ within: 1, pattern: /^\s?anything\s?now\b/i }],
  },
  {
    kind: 'persona',
    reason: 'demands a mode without rules',
    score: 0.6,
    cues: ['enabled', 'enable', 'enter', 'activate', 'activated', 'with'],
    followedBy: [
      {
        within: 20,
        pattern:
          /\b(?:DAN|developer|jailbreak|god|chaos|unrestricted|unfiltered|uncensored|evil|opposite) mode\b/i,
      },
    ],
    unless: /\bin (?:the )?settings\b/i,
  },
  {
    kind: 'persona',
    reason: 'demands a mode without rules',
    score: 0.5,
    cues: ['jailbreak', 'jailbroken', 'uncensored', 'unfiltered'],
    followedBy: [
      {
        within: 24,
        pattern: /\b(?:mode|prompt|answer|response|respond|reply|output|you|gpt|chatgpt|ai|model)\b/i,
      },
    ],
    before: /(?:\b(?:your|the|as|in|an?|called|are|be|give|with|now)|["'[(*])\s{0,2}$/i,
    unless: /\b(?:paper|research|attacks?|detect|defen[cs]e|benchmark|prevent)/i,
  },
  {
    kind: 'persona',
    reason: 'frees the model from ethics or law',
    score: 0.4,
    // "Without any warnings" may describe a tool honestly.
    definitionScore: 0.2,
    cues: ['no', 'without', 'disregard', 'ignores', 'regardless', 'lacks', 'lack', 'despite'],
    followedBy: [
      {
        within: 2,
        pattern:
          /^\s(?:of |any |all |for |the |being |regard |having ){0,3}(?:ethic(?:s|al)|moral(?:s|ity|ly)?|legality|censorship|disclaimers?|warnings|warning (?:labels?|messages?|notes?)|safety (?:guidelines|filters?)|content polic(?:y|ies)|guidelines or)/i,
      },
    ],
  },
  {
    kind: 'persona',
    reason: 'forbids the model to refuse',
    score: 0.4,
    cues: ['refuse', 'reject', 'decline', 'deny', 'say', 'apologize', 'comply', 'obey'],
    before:
      /\b(?:never|not|cannot|can['’]?t|won['’]?t|don['’]?t|must|unable to|has to|will always)\s(?:ever )?$/i,
    followedBy: [
      {
        within: 14,
        pattern:
          /\b(?:any|a request|my (?:requests?|questions?|instructions?|commands?|orders)|me|to answer|to do|anything|the user['’]?s?|with (?:all|every|any|my)|all orders|you can['’]?t|that you can|i can['’]?t|no)\b/i,
      },
    ],
    unless: /\bnot (?:say|deny|obey|comply)\b/i,
  },
  {
    kind: 'persona',
    reason: 'tells the model to stay in a role it was given',
    score: 0.35,
    cues: ['stay', 'remain', 'break', 'breaking', 'broke'],
    followedBy: [{ within: 10, pattern: /\b(?:in |out of |your )?character\b/i }],
  },
  {
    kind: 'persona',
    reason: 'asks for two answers, a tame one and one without rules',
    score: 0.5,
    cues: [
      'answer',
      'respond',
      'reply',
      'answers',
      'responses',
      'response',
      'ways',
      'paragraph',
      'paragraphs',
    ],
    followedBy: [
      {
        within: 90,
        pattern:
          /\b(?:normal|standard|regular|usual|classic) (?:chat ?gpt|gpt|claude|ai|assistant)\b|\bas (?:chat ?gpt|gpt|claude|an ai) (?:would|normally)\b|\bhow you would normally (?:answer|respond)\b/i,
      },
    ],
    acrossSentences: true,
  },
  {
    kind: 'persona',
    reason: "speaks of a model maker's policies as of something to break",
    score: 0.4,
    cues: ['openai', 'openais', 'anthropic', 'chatgpt', 'chatgpts', 'gpt'],
    followedBy: [
      {
        within: 12,
        pattern:
          /\b(?:content )?(?:polic(?:y|ies)|guidelines|rules|restrictions|terms|censorship|limitations|safety)\b/i,
      },
    ],
  },
  {
    kind: 'persona',
    reason: 'holds the blank of a prompt that is passed around',
    score: 0.4,
    cues: ['prompt', 'question', 'input', 'request', 'query', 'text', 'here'],
    before: /[[{<]\s?(?:insert|your|my|enter|ask|first|paste|user)(?: your| the| my)? $/i,
    followedBy: [{ within: 0, pattern: /^[\s\w]{0,24}[\]}>]/ }],
  },
  {
    kind: 'persona',
    reason: 'holds the blank of a prompt that is passed around',
    score: 0.4,
    cues: ['insert', 'prompt', 'question'],
    before: /[[{]\s?$/,
    followedBy: [{ within: 0, pattern: /^[A-Z\s]{0,24}[\]}]/ }],
    unless: /^[a-z]|^.[a-z]/,
  },
  {
    kind: 'persona',
    reason: 'tells the model that it can do what it must not do',
    score: 0.4,
    cues: ['chatgpt', 'gpt', 'claude', 'ai', 'model', 'chatbot'],
    followedBy: [
      {
        within: 60,
        pattern:
          /\b(?:illegal|unethical|immoral|inappropriate|offensive|swear|profanity|curse words|harmful|nsfw|break the law|loose any points|lose (?:all )?(?:your )?(?:points|tokens))\b/i,
      },
    ],
    acrossSentences: true,
  },
]
