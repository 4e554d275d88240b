import type { PlantedFault } from '../planted-fault.ts'

const EXACT = ['test/engine/protocol/exact-json.test.ts']
const ODD = ['test/e2e/odd-servers.test.ts']

export const messagesFaults: readonly PlantedFault[] = [
  {
    id: 'exact-stale-digits',
    what: 'a value that was put in the place of another goes out with the digits of the old one',
    file: 'electron/engine/protocol/exact-json.ts',
    find: 'return noted && Object.is(noted[0], (container as Record<string, unknown>)[key]) ? noted[1] : undefined',
    replace: 'return noted?.[1]',
    tests: EXACT,
  },
  {
    id: 'exact-copies-forget',
    what: 'numbers beside a value that masking copied lose their digits',
    file: 'electron/engine/protocol/exact-json.ts',
    find: 'if (sources) setSources(copy, sources)',
    replace: 'if (sources && Array.isArray(copy)) setSources(copy, sources)',
    tests: EXACT,
  },
  {
    id: 'exact-ids-collide',
    what: 'two requests whose large ids a double can not tell apart are taken for one',
    file: 'electron/engine/protocol/exact-message.ts',
    find: 'Number.isSafeInteger(value) ? value : `${NUMBER_MARK}${text}`',
    replace: 'Number.isInteger(value) ? value : `${NUMBER_MARK}${text}`',
    tests: EXACT,
  },
  {
    id: 'exact-flood-loses-digits',
    what: 'of a message with very many odd numbers the last ones become others',
    file: 'electron/engine/protocol/read-sources.ts',
    find: 'if (!container || (this.#notes >= MOST_SPELLINGS && !isLossy(source, value))) return',
    replace: 'if (!container || this.#notes >= MOST_SPELLINGS) return',
    tests: EXACT,
  },
  {
    id: 'param-headers-once',
    what: 'a tool that uses one header twice is offered',
    file: 'electron/engine/protocol/param-header-fault.ts',
    find: 'const other = seen.get(header.toLowerCase())',
    replace: 'const other = seen.get(header)',
    tests: ODD,
  },
  {
    id: 'param-headers-reference',
    what: 'a header behind a reference goes unnoticed',
    file: 'electron/engine/protocol/param-header-fault.ts',
    find: "const NAMED_SCHEMAS = ['patternProperties', 'dependentSchemas', '$defs', 'definitions']",
    replace: "const NAMED_SCHEMAS = ['patternProperties', 'dependentSchemas']",
    tests: ODD,
  },
  {
    id: 'answer-of-five-passes',
    what: 'a result that is no object passes to the client',
    file: 'electron/engine/protocol/peer.ts',
    find: 'if (isJsonObject(result)) this.#settled(id)?.resolve(result)',
    replace: 'if (result !== null) this.#settled(id)?.resolve(result)',
    tests: ODD,
  },
  {
    id: 'held-out-of-bounds',
    what: 'what waits for a stream that never opens fills the memory',
    file: 'electron/engine/downstream/held-messages.ts',
    find: 'if (this.#held.size <= MOST && this.#bytes <= MOST_BYTES) break',
    replace: 'if (this.#held.size <= MOST) break',
    tests: ['test/engine/downstream/held-messages.test.ts'],
  },
  {
    id: 'held-never-delivered',
    what: 'what a server said before the first stream of its client is lost',
    file: 'electron/engine/downstream/legacy-http.ts',
    find: '    held.deliver()',
    replace: '    held.giveUp()',
    tests: ['test/e2e/first-stream.test.ts'],
  },
  {
    id: 'logs-to-nobody',
    what: 'a client of 2026-07-28 hears nothing that a server logs over pipes',
    file: 'electron/engine/upstream/request-logs.ts',
    find: 'this.#listening.add(onRelated)',
    replace: 'this.#listening.delete(onRelated)',
    tests: ['test/e2e/eras.test.ts'],
  },
]
