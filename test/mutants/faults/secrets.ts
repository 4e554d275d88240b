import type { PlantedFault } from '../planted-fault.ts'

const known = ['test/engine/known-secrets.test.ts']
const kept = ['test/engine/keep-secrets.test.ts']

export const secretsFaults: readonly PlantedFault[] = [
  {
    id: 'secret-in-errors',
    what: "A server's errors bring configured secrets to the client.",
    file: 'electron/engine/keep-secrets.ts',
    find: '        throw cleanError(error, known)\n',
    replace: '        throw error\n',
    tests: kept,
  },
  {
    id: 'secret-in-names-of-fields',
    what: 'A secret passes as the name of a field.',
    file: 'electron/engine/keep-secrets.ts',
    find: '[known.clean(name, SECRET_MARK), cleanCopy(item, known)]',
    replace: '[name, cleanCopy(item, known)]',
    tests: kept,
  },
  {
    id: 'mark-written-over-secret',
    what: 'A file that holds a secret is written back with the mark in its place.',
    file: 'electron/engine/keep-secrets.ts',
    find: "if (method === 'tools/call') refuseMark(params, link.serverId)",
    replace: '',
    tests: kept,
  },
  {
    id: 'plain-words-are-secrets',
    what: 'Words such as "production" are taken out of every result, because a variable is called AUTH_MODE.',
    file: 'electron/engine/keep-secrets.ts',
    find: '(value) => !NO_SECRET.test(value)',
    replace: '(value) => value !== "" || !NO_SECRET.test(value)',
    tests: kept,
  },
  {
    id: 'base64-at-one-alignment',
    what: 'A secret in base64 behind a user name is not found.',
    file: 'electron/engine/known-secrets.ts',
    find: '[0, 1, 2].map((before) =>',
    replace: '[0].map((before) =>',
    tests: known,
  },
  {
    id: 'cut-secret-passes',
    what: 'A secret that was cut off is not found.',
    file: 'electron/engine/known-secrets.ts',
    find: 'needle: isAddress ? form : form.slice(0, long)',
    replace: 'needle: form',
    tests: known,
  },
  {
    id: 'window-jumps-too-far',
    what: 'The search jumps over a secret that begins within its window.',
    file: 'electron/engine/known-secrets.ts',
    find: 'Math.min(this.#shifts[block] ?? 0, this.#width - 1 - end)',
    replace: 'Math.min(this.#shifts[block] ?? 0, this.#width - end)',
    tests: known,
  },
  {
    id: 'unknown-stand-in-sent',
    what: 'A stand-in that stands for nothing goes to the server as it is written.',
    file: 'electron/engine/masking/mask-in-value.ts',
    find: 'const unknown = texts.flatMap(',
    replace: 'const unknown = texts.slice(texts.length).flatMap(',
    tests: ['test/engine/masking/masking-in-engine.test.ts'],
  },
  {
    id: 'escaped-stand-in-sent',
    what: 'A stand-in that the model wrote with the escapes of Markdown goes to the server as it is written.',
    file: 'electron/engine/masking/placeholders.ts',
    find: "name.replaceAll('\\\\', '').toUpperCase()",
    replace: 'name',
    tests: ['test/engine/masking/masking-in-engine.test.ts'],
  },
  {
    id: 'name-of-a-wrapped-client-taken',
    what: 'A client that calls itself like a wrapped one reads its results.',
    file: 'electron/engine/session/client-names.ts',
    find: 'known().has(name) ? `${name} (not wrapped)` : name',
    replace: 'name',
    tests: ['test/engine/session/client-names.test.ts'],
  },
]
