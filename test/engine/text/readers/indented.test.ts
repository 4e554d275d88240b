import { describe, expect, test } from 'vitest'
import { isLeaf, sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'

const times = (count: number, write: (n: number) => string, between = ''): string =>
  Array.from({ length: count }, (_, n) => write(n)).join(between)
const valuesIn = (text: string): string[] => {
  const reading = readText(text)
  expect(reading?.format).toBe('indented')
  return (valuesOf(reading!) as unknown[]).map((value) => JSON.stringify(value))
}

const TEXTS: Readonly<Record<string, string>> = {
  'a switch': `!\nversion 15.2\nhostname edge\n!\n${times(12, (n) => `interface Gi1/0/${n}\n description port ${n}\n switchport access vlan ${10 + (n % 3)}\n switchport mode access\n${n === 5 ? ' shutdown\n' : ''}!\n`)}`,
  'an SSH client': times(
    9,
    (n) =>
      `Host build-${n}\n    HostName 10.1.2.${n}\n    User ${n % 2 ? 'ci' : 'root'}\n    Port ${22 + n}\n`,
    '\n',
  ),
  'a load balancer': times(
    7,
    (n) =>
      `frontend fe_${n}\n    bind *:80${n}\n    default_backend be_${n}\n\nbackend be_${n}\n    balance source\n    server a 10.2.${n}.1:80 check\n    server b 10.2.${n}.2:80 check\n`,
    '\n',
  ),
  'network devices': times(
    8,
    (n) =>
      `${n}: veth${n}: <UP> mtu 1500 state ${n % 3 ? 'UP' : 'DOWN'}\n    link/ether 02:42:ac:11:00:0${n}\n    inet 172.17.${n}.1/24 scope global\n       valid_lft forever\n`,
  ),
  'sound devices, with tabs': times(
    6,
    (n) => `Sink #${n}\n\tState: ${n % 4 ? 'IDLE' : 'RUNNING'}\n\tName: out.${n}\n\tMute: no\n`,
    '\n',
  ),
}

describe.each(Object.entries(TEXTS))('%s', (_, text) => {
  test('has a record for each head', () => {
    expect(valuesIn(text).length).toBeGreaterThanOrEqual(6)
  })

  test('prints as it was', () => {
    const reading = readText(text)!
    const { document } = reading
    const leaves = Array.from({ length: document.count }, (_node, node) => node).filter((node) =>
      isLeaf(document, node),
    )
    const lines = (printed: string): string[] => printed.split('\n').filter((line) => /\w/.test(line))
    expect(lines(reading.print(leaves, (node) => sourceOf(document, node)))).toEqual(lines(text))
  })

  test('has the same records however deep they are indented', () => {
    expect(
      valuesIn(text.replace(/^[ \t]+/gm, (indent) => indent.replaceAll(' ', '   ').replaceAll('\t', '\t\t'))),
    ).toEqual(valuesIn(text))
  })
})

test('keys are the words that lines share, or what is before a colon', () => {
  const switches = valuesIn(TEXTS['a switch'] ?? '')
  expect(switches[0]).toBe('{"version":15.2,"hostname":"edge"}')
  expect(switches).toContain(
    '{"interface":"Gi1/0/5","description port":5,"switchport access vlan":12,"switchport mode":"access","shutdown":null}',
  )
  expect(valuesIn(TEXTS['sound devices, with tabs'] ?? '')).toContain(
    '{"Sink":"#4","State":"RUNNING","Name":"out.4","Mute":"no"}',
  )
})

test('long comments speak against no record', () => {
  const text = times(
    12,
    (n) =>
      `# the machine of team ${n}, which has a long story\nHost h${n}\n    User u${n % 3}\n    Port ${22 + n}\n`,
    '\n',
  )
  expect(valuesIn(text).filter((value) => value.includes('"Host"'))).toHaveLength(12)
})

test('a line above most heads begins their records', () => {
  const text = `# interfaces\n${times(8, (n) => `auto eth0.${n}\niface eth0.${n} inet static\n    address 10.0.${n}.1\n    netmask 255.0.0.0\n`, '\n')}`
  const values = valuesIn(text)
  expect(values).toHaveLength(9)
  expect(values[1]).toContain('"auto":"eth0.0"')
  expect(values[1]).toContain('"address":"10.0.0.1"')
})

test.each([
  [
    'code',
    times(
      9,
      (n) =>
        `def step_${n}(self, value):\n    if value is None:\n        return self.fallback\n    return value + ${n}\n`,
      '\n',
    ),
  ],
  [
    'traces',
    times(
      9,
      (n) =>
        `2026-11-27 10:00:0${n} ERROR request ${n} failed\n    at handle (app.js:${n}:2)\n    at next (router.js:4:${n})\n    at run (loop.js:9:9)\n`,
    ),
  ],
  [
    'a log of changes',
    times(
      9,
      (n) =>
        `commit ${n}a9f3e\nAuthor: Ann <ann@example.org>\nDate: Mon Nov ${n + 10} 2026\n\n    ${['Fix the clock', 'Read it twice', 'Drop old names', 'Speed up lists'][n % 4]} ${n}\n`,
      '\n',
    ),
  ],
  [
    'prose',
    times(
      9,
      (n) =>
        `Chapter ${n}\n  ${['It was late.', 'Rain fell on roofs.', 'Nobody came that day.', 'A dog barked twice.'][n % 4]} And then ${n} more.\n`,
    ),
  ],
])('%s has no such records', (_, text) => expect(readText(text)?.format).not.toBe('indented'))
