import type { PlantedFault } from '../planted-fault.ts'

const REFERENCES = 'electron/engine/results/references'
const REFER_BACK = 'electron/engine/cache/refer-back.ts'
const GOALS = 'electron/engine/goals'
const [references, repeats, goals] = [
  'test/e2e/references.test.ts',
  'test/engine/cache/refer-back.test.ts',
  'test/engine/goals/goals-in-engine.test.ts',
]

export const goalsAndReferencesFaults: readonly PlantedFault[] = [
  {
    id: 'references-of-anyone',
    what: "a client sends another client's result",
    file: 'electron/engine/results/create-references.ts',
    find: 'find: (id, owner) => results.get(id, owner)',
    replace: 'find: (id) => results.getForUser(id)',
    tests: [references],
  },
  {
    id: 'references-unscanned',
    what: 'a text that would be quarantined goes to a server',
    file: 'electron/engine/guardrails/create-guard.ts',
    find: "await guard.guardContent({ content: [{ type: 'text', text }] }, origin, policy)",
    replace: 'void [text, origin, policy]',
    tests: [references],
  },
  {
    id: 'references-unmasked',
    what: 'a kept text goes to a server that must not see personal data',
    file: 'electron/engine/masking/masking.ts',
    find: "if (policy.masking.direction !== 'from-server') return read",
    replace: 'if (tool !== undefined) return read',
    tests: [references],
  },
  {
    id: 'references-with-placeholders-of-others',
    what: 'a file gets placeholders in place of what the client knows',
    file: 'electron/engine/masking/masking.ts',
    find: 'const read = known ? restoreInValue(texts, known) : texts',
    replace: 'const read = known ? texts : texts',
    tests: [references],
  },
  {
    id: 'references-without-a-source',
    what: "another server's text passes guard.flow by its address",
    file: 'electron/engine/guardrails/flow/flow-guard.ts',
    find: "inserted?.find(({ server }) => server !== '' && server !== serverId)",
    replace: "inserted?.find(({ server }) => server === '' && server !== serverId)",
    tests: [references],
  },
  {
    id: 'references-in-other-text',
    what: 'a sentence with an address is replaced or refused',
    file: `${REFERENCES}/parse-reference.ts`,
    find: String.raw`(?:#([^\r\n]*?))?\s*$/`,
    replace: String.raw`(?:#([^\r\n]*?))?(?:\s.*)?$/`,
    tests: ['test/engine/results/references/parse-reference.test.ts'],
  },
  {
    id: 'references-told-always',
    what: 'each shortened result says how results are passed on',
    file: `${REFERENCES}/insert-references.ts`,
    find: 'introduced.add(call.sessionId)',
    replace: 'introduced.delete(call.sessionId)',
    tests: [references],
  },
  {
    id: 'repeats-after-compaction',
    what: 'a reference to what was compacted away',
    file: `${GOALS}/create-goals.ts`,
    find: 'compacted: (conversation) => void memory.touch(conversation).contextChanges++',
    replace: 'compacted: (conversation) => void memory.touch(conversation).contextChanges',
    tests: [repeats],
  },
  {
    id: 'repeats-of-other-agents',
    what: 'a sub-agent is referred to what its parent has seen',
    file: `${GOALS}/create-goals.ts`,
    find: 'if (agentId === undefined && agents.size > 0) return undefined',
    replace: 'if (agentId === undefined && agents.size > 9) return undefined',
    tests: [repeats],
  },
  {
    id: 'repeats-of-old-differences',
    what: 'a difference to a difference, which the model would have to add up',
    file: REFER_BACK,
    find: 'lineDifference(base.text, now.text)',
    replace: 'lineDifference(latest.text, now.text)',
    tests: [repeats],
  },
  {
    id: 'goals-of-neighbours',
    what: "another conversation's request in the same folder is the goal",
    file: `${GOALS}/find-conversation.ts`,
    find: 'if (only && others.length === 0)',
    replace: 'if (only && others.length >= 0)',
    tests: [goals],
  },
  {
    id: 'goals-kept-when-off',
    what: 'requests stay in memory after the setting is off',
    file: `${GOALS}/create-goals.ts`,
    find: 'if (!isOn()) memory.forgetPrompts()',
    replace: 'if (isOn()) memory.forgetPrompts()',
    tests: [goals],
  },
]
