import type { PlantedFault } from '../planted-fault.ts'

/** Faults that fresh eyes found in the shipped program, and their siblings. */
export const freshEyes: readonly PlantedFault[] = [
  {
    id: 'structured-half-counts-nothing',
    what: 'A structured half that passes whole counts nothing, though compression counts both halves.',
    file: 'electron/engine/ledger/tokens-of-result.ts',
    find: 'if (isJsonObject(structuredContent)) texts.push',
    replace: 'if (texts.length === 0 && isJsonObject(structuredContent)) texts.push',
    tests: ['test/engine/ledger/figures.test.ts'],
  },
  {
    id: 'calls-uncounted-at-the-end',
    what: 'The end of the engine does not wait for results that are being counted: their calls have no row.',
    file: 'electron/engine/ground/later.ts',
    find: '    await Promise.all(underWay)\n',
    replace: '',
    tests: ['test/engine/ledger/figures.test.ts'],
  },
  {
    id: 'spelling-passes-a-blocked-resource',
    what: 'A resource is judged as it is spelled: FILE:/// or /a/./b reads what is blocked.',
    file: 'electron/engine/clients/session/approved-offer.ts',
    find: 'const blocked = alike.find((each) => !this.allows(',
    replace: "const blocked = alike.find((each) => each['uri'] === uri && !this.allows(",
    tests: ['test/engine/clients/session/unlisted.test.ts'],
  },
  {
    id: 'spelling-passes-a-blocked-template',
    what: 'A template is matched with the URI as it is spelled alone.',
    file: 'electron/engine/clients/session/spelled-resources.ts',
    find: '  { of: plainUri, ofTemplate: plainTemplate },\n',
    replace: '',
    tests: ['test/engine/clients/session/unlisted.test.ts'],
  },
  {
    id: 'way-around-a-blocked-template',
    what: 'An approved template that matches the URI as it is written opens a blocked one behind it: /public/../private.',
    file: 'electron/engine/clients/session/spelled-resources.ts',
    find: '    if (blocked && ![...approved].some(matches)) return blocked\n',
    replace: '    if ([...approved].some(matches)) return undefined\n    if (blocked) return blocked\n',
    tests: ['test/engine/clients/session/unlisted.test.ts'],
  },
  {
    id: 'encoded-twice-is-another-resource',
    what: 'Percent encoding is undone once, so that %252e passes.',
    file: 'electron/engine/clients/session/plain-uri.ts',
    find: 'const MOST_DECODINGS = 8',
    replace: 'const MOST_DECODINGS = 1',
    tests: ['test/engine/clients/session/unlisted.test.ts'],
  },
]
