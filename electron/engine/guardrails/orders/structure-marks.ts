import type { Mark } from './marks.ts'

/** What speaks in another's place, or reaches out of the text: found in the whole text, because it may span sentences. */
export interface PlacedMark {
  readonly mark: Mark
  readonly start: number
  readonly end: number
}

interface Pattern {
  readonly mark: Mark
  /** A text without one of these has none. */
  readonly cues: readonly string[]
  readonly pattern: RegExp
}

/** Bounded, so that each is linear. */
const PATTERNS: readonly Pattern[] = [
  {
    mark: 'template',
    cues: ['<|', '<｜', '[/', '[INST', '[SYSTEM', '<<SYS', '_of_turn', 'im_', '{{'],
    pattern:
      /<\|[a-z_▁ ]{2,30}\|?>|<｜[^｜]{2,30}｜>|\[\/?INST\]|<<\/?SYS(?:TEM)?>>|<(?:start|end)_of_turn>|\bim_(?:start|end)\b|\{\{[#/]system\}\}|\[\/?SYSTEM[ A-Z]{0,20}\]/g,
  },
  {
    mark: 'speaker',
    cues: [':'],
    pattern:
      /(?:^|\\n)[ \t>*#-]{0,6}(?:\*\*)?(?:system|human|user|assistant|ai|instruction|response|developer|thought|action|observation)(?: (?:prompt|message|notice|update|instruction|input))?(?:\*\*)?\s?:/gim,
  },
  {
    mark: 'boundary',
    cues: ['<'],
    pattern:
      /<(?:\/(?:tool_result|tool_output|function_results?|search_results?|untrusted[\w-]*|document|documents|context|content|email|inbox|data|result|results|system[\w-]*|instructions?|user|assistant)>|(?:system[\w-]*|important|admin[\w-]*|instructions?|developer|policy[\w-]*|override|directive|assistant[\w-]*|user|task|secret[\w-]*|hidden[\w-]*|thinking|execute|mcp:[\w-]+|[a-z]{1,12}_(?:info|directive))\b[^<>\n]{0,80}>)/gi,
  },
  {
    mark: 'boundary',
    cues: [']]>'],
    pattern: /\]\]>/g,
  },
  {
    mark: 'boundary',
    cues: ['end of ', 'END OF '],
    pattern: /\bend of (?:document|text|file|data|results?|input|email|message)\b(?=[\s.\])-]*(?:\n|-|$))/gi,
  },
  {
    mark: 'role',
    cues: ['role', 'system', 'nstruction', '_message', 'next_action', 'developer', 'hint_for', 'llm_'],
    pattern:
      /["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant|user)["']|["'](?:system(?:_message|_prompt)?|assistant_instructions?|instructions?_(?:to|for)_\w{2,12}|hint_for_\w{2,12}|next_action|developer|llm_\w{2,20}|model_\w{0,4}instructions?)["']\s{0,4}:/gi,
  },
  {
    mark: 'call',
    cues: ['_call', 'tool_use', 'invoke name', 'tools/call', 'arguments', 'ction_input', 'Action Input'],
    pattern:
      /["'](?:tool_use|tool_calls?|function_calls?|action_input|arguments)["']|<invoke name=|"tools\/call"|\bAction Input:/gi,
  },
]

/** In linear time. */
export function structureMarks(text: string): PlacedMark[] {
  const found: PlacedMark[] = []
  for (const { mark, cues, pattern } of PATTERNS) {
    if (!cues.some((cue) => text.includes(cue))) continue
    for (const match of text.matchAll(pattern)) {
      found.push({ mark, start: match.index, end: match.index + match[0].length })
      if (found.length >= MOST) return found
    }
  }
  return found
}

const MOST = 20_000
