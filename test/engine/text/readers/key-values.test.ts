import { expect, test } from 'vitest'
import { markOf } from '../../../../electron/engine/text/readers/key-values/record-starts.ts'
import { NODE, sourceOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { loadCompressor } from '../../../../electron/engine/compression/load-compressor.ts'
import { showRecords } from '../../../../electron/engine/compression/records/show-records.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'

const compress = await loadCompressor()

const times = (count: number, write: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => write(n)).join('')

const read = (text: string) => {
  const reading = readText(text)
  return reading && { format: reading.format, values: valuesOf(reading) }
}

test('keys that come again and again are records without a blank line between', () => {
  const text = ['ash', 'elm', 'oak', 'yew', 'fir', 'box']
    .map((name, i) => `subject=CN = ${name}\nnotAfter=Mar  ${i + 1} 10:00:00 2030 GMT\nserial=0${i}\n`)
    .join('')
  const found = read(text)
  expect(found?.format).toBe('stanzas')
  expect(found?.values).toHaveLength(6)
  expect(JSON.stringify(found?.values)).toContain(
    '{"subject":"CN = oak","notAfter":"Mar  3 10:00:00 2030 GMT"',
  )
})

test('records may be below a preface, and have different keys behind the first', () => {
  const people = ['ash', 'elm', 'oak', 'yew'].map((name) => `dn: uid=${name}\ncn: ${name}\nphone: 12\n`)
  const groups = ['crew'].map((name) => `dn: cn=${name}\nmember: uid=ash\nmember: uid=oak\n`)
  const found = read(['version: 1\n', ...people, ...groups].join('\n'))
  expect(found?.values).toHaveLength(6)
  expect(JSON.stringify(found?.values)).toContain('{"dn":"uid=oak","cn":"oak","phone":"12"}')
})

test.each([
  ['a line of words', (n: number) => `Recipe ${n}`, '\n\n'],
  ['a key of its own', (n: number) => `Order ${n}: open`, '\n\n'],
  ['a line of words, without blank lines', (n: number) => `Dish no ${n}`, '\n'],
])('a title is of the record below it: %s', (_, title, between) => {
  const text = Array.from(
    { length: 12 },
    (_, n) => `${title(n)}\nServes: ${n % 4}\nTime: ${n * 12} min\nMain part: part ${n}`,
  ).join(between)
  const values = (valuesOf(readText(text)!) as unknown[]).map((value) => JSON.stringify(value))
  expect(values).toHaveLength(12)
  const reading = readText(text)!
  const chosen = reading.document.kinds
    .subarray(0, reading.document.count)
    .reduce<number[]>((found, kind, node) => (kind === NODE.text ? [...found, node] : found), [])
  const printed = reading.print(chosen, (node) => sourceOf(reading.document, node))
  expect(printed.split('\n').filter((line) => line !== '')).toEqual(
    text.split('\n').filter((line) => line !== ''),
  )
  for (const [n, value] of values.entries()) expect(value).toContain(`"Main part":"part ${n}"`)
})

test('the title of a record is its name', () => {
  const fields = ['Rss', 'Pss', 'Shared_Clean', 'Private_Dirty', 'Referenced', 'Anonymous', 'Swap', 'Locked']
  const text = times(
    9,
    (n) =>
      `563f0${n}000 rw-p /lib/x${n}.so\nSize: ${n} kB\n${fields.map((key) => `${key}:      ${n} kB\n`).join('')}`,
  )
  expect(JSON.stringify(read(text)?.values)).toContain('{"name":"563f03000 rw-p /lib/x3.so","Size":"3 kB"')
})

test('a comment above a record belongs to it, however many records have one', () => {
  const people = ['ash', 'elm', 'oak', 'yew', 'fir', 'box', 'bay'].map(
    (name) => `# ${name}, example.org\ndn: uid=${name}\ncn: ${name}\nphone: 12\n`,
  )
  const found = read(['# extended LDIF\n#\n# base <dc=example> with scope subtree\n', ...people].join('\n'))
  expect(found?.values).toHaveLength(8)
  expect(JSON.stringify(found?.values)).toContain('{"dn":"uid=oak","cn":"oak","phone":"12"}')
})

test('records of several kinds begin with the key below their comments', () => {
  const person = (n: number) =>
    `# p${n}, example.org\ndn: uid=p${n}\nobjectClass: person\nobjectClass: account\nsn: P${n}\n`
  const group = (n: number) =>
    `# g${n}, example.org\ndn: cn=g${n}\nobjectClass: group\nmember: p1\nmember: p2\nmember: p3\nmember: p4\n`
  const host = (n: number) =>
    `# h${n}, example.org\ndn: cn=h${n}\nobjectClass: device\nobjectClass: host\nserial: ${n}\naddress: 10.0.0.${n}\n`
  const found = read(
    [
      '# extended LDIF\n#\n',
      ...[person, group, host].flatMap((make) => times(8, make).split(/(?<=\n)\n?(?=#)/)),
      '# numEntries: 24\n',
    ].join('\n'),
  )
  const records = found?.values as readonly object[] | undefined
  expect(records?.filter((record) => 'dn' in record)).toHaveLength(24)
})

test('a key may come several times in a record', () => {
  const text = ['a.js', 'b.js', 'c.js']
    .map((name) => `SF:${name}\nFN:1,x\nFN:2,y\nFNF:2\nFNH:1\nLF:9\nLH:4\nend_of_record\n`)
    .join('')
  expect(read(`TN:\n${text}`)?.format).toBe('stanzas')
})

test('a banner names the record below it', () => {
  const text = ['one', 'two', 'three']
    .map((name) => `======== ${name}.jpg\n[File]   Size     : 12 kB\n[Exif]   Model    : M ${name}\n`)
    .join('')
  expect(JSON.stringify(read(text)?.values)).toContain(
    '{"name":"two.jpg","[File] Size":"12 kB","[Exif] Model":"M two"}',
  )
})

test('levels before messages begin no record', () => {
  const text = Array.from(
    { length: 40 },
    (_, i) => `${['INFO', 'DEBUG', 'WARN'][i % 3]} p${i % 3}: sent ${i}\n`,
  )
  expect(read(text.join(''))?.format).not.toBe('stanzas')
})

test('a banner may have a long path', () => {
  const paths = ['a.jpg', 'b.jpg', `/srv/${'deep/'.repeat(30)}c.png`, `/srv/${'deep/'.repeat(30)}d.png`]
  const text = paths
    .map((path, i) => `======== ${path}\n[File] Size: ${i} kB\n[File] Model: M${i}\n`)
    .join('')
  expect(valuesOf(readText(text)!)).toMatchObject(paths.map((name) => ({ name })))
})

test('lines of a report with three signs are no banners', () => {
  for (const line of ['=== RUN   TestStep0', '--- FAIL: TestStep6 (0.00s)', '==='])
    expect(markOf(line)).toBeUndefined()
  expect(markOf('====== SET ======')).toEqual({ name: 'SET' })
  expect(markOf('==> README.md <==')).toEqual({ name: 'README.md' })
})

test('lines of several pairs are values of their own, and are printed as they are', () => {
  const text = times(
    20,
    (n) =>
      `JobId=${4000 + n} JobName=run ${n}\n   Priority=${(n * 37) % 101} Nice=0 Reason=None\n   Note="a=b c=d" Command=/srv/run_${n}.sh\n\n`,
  )
  const reading = readText(text)!
  expect(valuesOf(reading)).toContainEqual({
    JobId: '4007',
    JobName: 'run 7',
    Priority: '57',
    Nice: '0',
    Reason: 'None',
    Note: '"a=b c=d"',
    Command: '/srv/run_7.sh',
  })
  const shown = showRecords(reading, 'job with the highest Priority', 120)?.text ?? ''
  expect(shown).toContain('JobId=4019 JobName=run 19\n   Priority=97 Nice=0 Reason=None')
  for (const line of shown.split('\n')) expect(text.split('\n')).toContain(line)
})

test('a long line of pairs is cut between them, with marks', () => {
  const fields = (n: number): string =>
    Array.from({ length: 30 }, (_, k) => `field_${k}=${(n * 31 + k * 17) % 97}-${n}-${k}`).join(' ')
  const text = times(30, (n) => `name=node${n} ${fields(n)}\nstate=up load=${n}\n\n`)
  const shown = showRecords(readText(text)!, 'field_22 of node17', 150)?.text ?? ''
  expect(shown).toMatch(/^name=node17 .*… field_22=\S+-17-22 …$/m)
  for (const [pair] of shown.matchAll(/field_\d+=\S+/g)) expect(text).toContain(pair)
})

/** A reading's text printed with the leaves of these values. */
const printed = (text: string, wanted: readonly string[]): string => {
  const reading = readText(text)!
  const { document } = reading
  const nodes = Array.from({ length: document.count }, (_, node) => node)
  const chosen = nodes.filter((node) => wanted.includes(sourceOf(document, node)))
  return reading.print(chosen, (node) => sourceOf(document, node))
}

const boiler = `Boiler:        B-17
Site:          Riga
Feeds:         hall heating=on
               heating: north
Pump:          Running
Burner:        Stopped
  Reason:      Flame lost
  Code:        23
  Since:       Tue, 17 Nov 2026
Valve:         Open
  Reason:      By hand
Loops:
  upper:
    State:     Waiting
      Reason:  Air in pipe
    Flow:      12
Notes:         lower floor is cold
               since Monday
`

test('deeper keys below a value are of that value, and are printed below it', () => {
  expect(JSON.stringify(read(boiler)?.values)).toContain(
    '"Burner":{"Burner":"Stopped","Reason":"Flame lost","Code":"23","Since":"Tue, 17 Nov 2026"}',
  )
  expect(JSON.stringify(read(boiler)?.values)).toContain(
    '"upper":{"State":{"State":"Waiting","Reason":"Air in pipe"},"Flow":"12"}',
  )
  expect(printed(boiler, ['23', 'Air in pipe'])).toBe(`Burner:        Stopped
  Code:        23
Loops:
  upper:
    State:     Waiting
      Reason:  Air in pipe`)
  expect(printed(boiler, ['Stopped'])).toBe('Burner:        Stopped')
})

test('lines below the beginning of a value are further values of its key', () => {
  expect(JSON.stringify(read(boiler)?.values)).toContain(
    '"Feeds":{"Feeds":"hall heating=on","heating":"north"},"Pump":"Running"',
  )
  expect(printed(boiler, ['north'])).toBe('Feeds:\n               heating: north')
  expect(JSON.stringify(read(boiler)?.values)).toContain('"Notes":"lower floor is cold\\nsince Monday"')
})

test('a value of pairs is an object, which is compared with its likes and printed as it is', () => {
  const names = ['get', 'set', 'del', 'hget', 'hset', 'keys', 'scan', 'ping']
  const line = (name: string, n: number) =>
    `stat_${name}:calls=${9000 - n * 7},usec=${n * 31},usec_each=${name === 'keys' ? 181234.11 : n + 2.5},failed=`
  const server = ['# Server', 'version:7.2.5', 'mode:cluster', 'os:Linux 6.1 x86_64', 'port:6379']
  const clients = ['# Clients', 'connected:412', 'blocked:3', 'most:10000']
  const text = [...server, '', ...clients, '', '# Commands', ...names.map(line)].join('\n')
  const values = valuesOf(readText(text)!) as { Commands: Record<string, unknown> }
  expect(values.Commands['stat_set']).toEqual({ calls: 8993, usec: 31, usec_each: 3.5, failed: null })
  const shown = compress({ text, goal: 'slowest command', budget: 100 }).text
  expect(shown).toContain(line('keys', 5))
})

test('values with a comma or an equals sign alone are no pairs', () => {
  const text = 'name: a=b\nlist: x,y,z\nquery: a=1, and more\nmode: on\n'
  expect(valuesOf(readText(text)!)).toEqual({
    name: 'a=b',
    list: 'x,y,z',
    query: 'a=1, and more',
    mode: 'on',
  })
})

test('lines below a marked record’s last value go on with it, but for what is said of all records', () => {
  const record = (i: number): string[] => [
    `*************************** ${i}. row ***************************`,
    `     Id: ${i * 3}`,
    `Command: ${i % 2 ? 'Query' : 'Sleep'}`,
    `   Info: ${i % 2 ? `SELECT a,\n       b\n  FROM t WHERE c = ${i * 17}` : 'NULL'}`,
  ]
  const text = `${[...[1, 2, 3, 4].flatMap(record), '4 rows in set (0.00 sec)'].join('\n')}\n`
  const reading = readText(text)!
  const rows = valuesOf(reading) as Record<string, string>[]
  expect(reading.format).toBe('stanzas')
  expect(rows).toHaveLength(4)
  expect(rows[2]).toMatchObject({ Id: '9', Info: 'SELECT a,\nb\nFROM t WHERE c = 51' })
  expect(rows[3]).toMatchObject({ Id: '12', Info: 'NULL' })
})

test('blank lines or a comment above the first record change nothing, however few records there are', () => {
  const record = (i: number): string =>
    `Start-Date: 2026-05-0${i}  07:28:46\nCommandline: apt-get install -y pkg-${i}\nInstall: ${'libfjord1:amd64 (1.2, automatic), '.repeat(40)}\nEnd-Date: 2026-05-0${i}  07:28:50\n`
  const text = [1, 2, 3].map(record).join('\n')
  const records = (source: string): unknown => read(source)?.values
  expect(records(text)).toHaveLength(3)
  for (const above of ['\n', '\n\n \n', '# history\n']) expect(records(above + text)).toEqual(records(text))
})
