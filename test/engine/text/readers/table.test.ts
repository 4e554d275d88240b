import { describe, expect, test } from 'vitest'
import { recordsStrategy } from '../../../../electron/engine/compression/strategies/records.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { valuesOf } from '../../../../electron/engine/text/readers/reading-values.ts'

const read = (text: string): Record<string, string>[] | undefined => {
  const reading = readText(text)
  return reading?.format === 'table' ? (valuesOf(reading) as Record<string, string>[]) : undefined
}
const lines = (...all: string[]) => all.join('\n')

describe('aligned columns', () => {
  const pods = lines(
    'NAME                     READY   STATUS             RESTARTS      AGE',
    'web-7d4b9c6f5-x2x1p      1/1     Running            0             5d2h',
    'web-7d4b9c6f5-k9k2m      0/1     CrashLoopBackOff   37 (2m ago)   5d2h',
    'queue-0                  1/1     Running            2             12d',
    'queue-1                  1/1     Running            0             12d',
    'cache-5f6d8c9b7-lmnop    1/1     Running            0             3h',
  )

  test('are read by their header', () => {
    expect(read(pods)).toHaveLength(5)
    expect(read(pods)?.[1]).toEqual({
      NAME: 'web-7d4b9c6f5-k9k2m',
      READY: '0/1',
      STATUS: 'CrashLoopBackOff',
      RESTARTS: '37 (2m ago)',
      AGE: '5d2h',
    })
  })

  test('are found by fields where values overflow them', () => {
    const row = (n: number) =>
      `root  ${String(n * 37).padStart(8)}  0.${n % 10} ${String(n % 2 === 0 ? 5_480_459_600 + n : n * 100_001).padStart(6)} ${String(n * 7).padStart(5)} ?        Sl   08:${10 + n} node part-${n}.js --all it`
    const processes = read(
      lines(
        'USER       PID %CPU    VSZ   RSS TTY      STAT START COMMAND',
        ...Array.from({ length: 24 }, (_, n) => row(n)),
      ),
    )
    expect(processes?.[8]).toEqual({
      USER: 'root',
      PID: '296',
      '%CPU': '0.8',
      VSZ: '5480459608',
      RSS: '56',
      TTY: '?',
      STAT: 'Sl',
      START: '08:18',
      COMMAND: 'node part-8.js --all it',
    })
  })

  test('may have names of two words, with values that overflow other columns', () => {
    const events = lines(
      'LAST SEEN   TYPE      REASON       OBJECT          MESSAGE',
      '2m          Normal    Scheduled    pod/web-7c9     Successfully assigned shop/web to node-2',
      '90s         Warning   Failed       pod/web-7c9     Failed to pull image "acme/web:1.9"',
      '45s         Warning   BackOff      pod/web-7c9     Back-off pulling image',
      '20m         Warning   EvictionThresholdMet node/node-4     Attempting to reclaim storage',
      '11m         Warning   FailedMount  pod/db-0        MountVolume.SetUp failed',
      '14m         Normal    Killing      pod/old-1       Stopping container app',
    )
    expect(read(events)?.[3]).toEqual({
      'LAST SEEN': '20m',
      TYPE: 'Warning',
      REASON: 'EvictionThresholdMet',
      OBJECT: 'node/node-4',
      MESSAGE: 'Attempting to reclaim storage',
    })
  })

  test('may have bars in their cells', () => {
    const tail = ['node a.js | tee log', 'sh -c "ls | wc"', 'sort', 'awk "{ print }"', 'cat x']
    const rows = Array.from(
      { length: 15 },
      (_, n) =>
        `root ${String(n * 37).padStart(6)}  0.${n % 10} ${n === 4 || n === 5 ? tail[n % 2] : tail[2 + (n % 3)]}`,
    )
    expect(read(lines('USER    PID %CPU COMMAND', ...rows))).toHaveLength(15)
  })

  test('leave out empty cells without moving those behind them', () => {
    const containers = lines(
      'CONTAINER ID   IMAGE          STATUS          PORTS                    NAMES',
      '1f2e3d4c5b6a   nginx:1.29     Up 3 hours      0.0.0.0:80->80/tcp       web',
      '0a9b8c7d6e5f   redis:8        Up 3 hours      6379/tcp                 cache',
      '9f8e7d6c5b4a   worker:12      Up 2 hours                               worker',
      '7c6b5a4f3e2d   postgres:18    Up 9 days       5432/tcp                 db',
      '2b3c4d5e6f7a   mail:3         Up 1 hour       25/tcp                   mail',
    )
    expect(read(containers)?.[2]).toEqual({
      'CONTAINER ID': '9f8e7d6c5b4a',
      IMAGE: 'worker:12',
      STATUS: 'Up 2 hours',
      PORTS: '',
      NAMES: 'worker',
    })
  })

  test('of numbers on the right belong to the name that ends with them', () => {
    const sizes = lines(
      'Filesystem          Size      Used     Avail  Mounted',
      '/dev/sda1            98G       61G       33G  /',
      'tmpfs               7.8G                7.8G  /dev/shm',
      '/dev/sdb1           1.8T      900G      820G  /data',
      '/dev/sdc1           1.8T        1T      700G  /backup',
      'overlay              98G       61G       33G  /var/lib',
    )
    expect(read(sizes)?.[1]).toEqual({
      Filesystem: 'tmpfs',
      Size: '7.8G',
      Used: '',
      Avail: '7.8G',
      Mounted: '/dev/shm',
    })
  })

  test('between rules, as reStructuredText has them', () => {
    const text = lines(
      '=====  =====  ======',
      'left   right  either',
      '=====  =====  ======',
      'no     no     no',
      'yes    no     yes',
      'no     yes    yes',
      '=====  =====  ======',
    )
    expect(read(text)).toEqual([
      { left: 'no', right: 'no', either: 'no' },
      { left: 'yes', right: 'no', either: 'yes' },
      { left: 'no', right: 'yes', either: 'yes' },
    ])
  })

  test('may have names closer together than their cells', () => {
    const text = lines(
      'USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND',
      'root         1  0.0  0.1 168140 11212 ?        Ss   Apr01   0:12 /sbin/init splash',
      'ann       2311  1.2  3.4 998140 51212 pts/0    Sl+  10:01   1:12 node server.js',
      'ann       2312  1.2  3.4 998140 51212 pts/0    Sl+  10:01   1:12 node other.js',
      'bob       2313  1.2 13.4 998140 51212 pts/0    Sl+  10:01   1:12 node third.js',
    )
    expect(read(text)?.[1]).toMatchObject({
      USER: 'ann',
      PID: '2311',
      RSS: '51212',
      COMMAND: 'node server.js',
    })
  })

  test('below blank lines are tables of their own', () => {
    const all = `${pods}\n\n${lines(
      'NAME            TYPE        CLUSTER-IP     PORT(S)',
      'service/web     ClusterIP   10.96.12.1     80/TCP',
      'service/queue   ClusterIP   10.96.12.2     5672/TCP',
    )}`
    expect(read(all)).toEqual([
      expect.objectContaining({ length: 5 }),
      [
        expect.objectContaining({ NAME: 'service/web', 'PORT(S)': '80/TCP' }),
        expect.objectContaining({ NAME: 'service/queue' }),
      ],
    ])
  })
})

describe('delimited columns', () => {
  test.each(['# exported by shop 4.2, in EUR', 'sep=,', '// note', '-- note', 'Orders of May'])(
    'below the line %j',
    (above) => {
      const text = lines(above, 'id,item,price', '1,"lamp, small",19.90', '2,desk,240', '3,rug,85')
      expect(read(text)).toEqual([
        { id: '1', item: 'lamp, small', price: '19.90' },
        { id: '2', item: 'desk', price: '240' },
        { id: '3', item: 'rug', price: '85' },
      ])
    },
  )

  test('whose header begins with a hash', () => {
    expect(read('#chrom\tstart\tend\nchr1\t10\t20\nchr2\t30\t40')?.[0]).toEqual({
      '#chrom': 'chr1',
      start: '10',
      end: '20',
    })
  })

  test('of bars, as psql prints them', () => {
    const text = lines(
      ' id | city  | people ',
      '----+-------+--------',
      '  1 | Graz  |  290000',
      '  2 | Linz  |  210000',
      '  3 | -     |  -     ',
      '(3 rows)',
    )
    expect(read(text)).toEqual([
      { id: '1', city: 'Graz', people: '290000' },
      { id: '2', city: 'Linz', people: '210000' },
      { id: '3', city: '-', people: '-' },
    ])
  })

  test('keep quotes, line breaks and blank lines of quoted cells', () => {
    const text = 'id,note,n\r\n1,"say ""hi""\r\n\r\nnow",5\r\n2,4" pipe,6\r\n3,,7\r\n'
    expect(read(text)).toEqual([
      { id: '1', note: 'say "hi"\r\n\r\nnow', n: '5' },
      { id: '2', note: '4" pipe', n: '6' },
      { id: '3', note: '', n: '7' },
    ])
  })

  test('are read where the first lines are long', () => {
    const row = (cell: string) => Array.from({ length: 20_000 }, (_, at) => `${cell}${at % 1000}`).join(',')
    const [first] = read(lines(row('name'), row('a'), row('b'))) ?? []
    expect(Object.keys(first ?? {})).toHaveLength(20_000)
    expect(first).toMatchObject({ name7: 'a7', name7_2: 'a7', name7_20: 'a7' })
  })

  test('give every cell a name of its own', () => {
    expect(read('a,a,,d\n1,2,3,4\n5,6,7,8\n9,10,11,12,13')).toEqual([
      { a: '1', a_2: '2', column3: '3', d: '4', column5: '' },
      { a: '5', a_2: '6', column3: '7', d: '8', column5: '' },
      { a: '9', a_2: '10', column3: '11', d: '12', column5: '13' },
    ])
  })
})

describe('drawn tables', () => {
  const expected = [
    { id: '1', name: 'ann', age: '30' },
    { id: '2', name: 'bob', age: '' },
  ]

  test.each([
    ['Markdown', '| id | name | age |\n|:---|---|---:|\n| 1 | ann | 30 |\n| 2 | bob |  |'],
    ['Markdown of single dashes', '| id | name | age |\n|-|-|-|\n| 1 | ann | 30 |\n| 2 | bob | |'],
    [
      'MySQL',
      '+----+------+------+\n| id | name | age  |\n+----+------+------+\n|  1 | ann  |   30 |\n|  2 | bob  |      |\n+----+------+------+',
    ],
    [
      'boxes',
      '┌────┬──────┬─────┐\n│ id │ name │ age │\n├────┼──────┼─────┤\n│ 1  │ ann  │ 30  │\n├────┼──────┼─────┤\n│ 2  │ bob  │     │\n└────┴──────┴─────┘',
    ],
    [
      'Markdown below a heading',
      '# People\n\n| id | name | age |\n|---|---|---|\n| 1 | ann | 30 |\n| 2 | bob | |',
    ],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual(expected)
  })

  test('keep a row of dashes', () => {
    const text = '| a | b |\n|---|---|\n| - | - |\n| x | y |'
    expect(read(text)).toEqual([
      { a: '-', b: '-' },
      { a: 'x', b: 'y' },
    ])
  })
})

test.each([
  [
    'prose',
    'One sentence.  And a second.\nA third one here.  The fourth follows.\nAnd a last.  It ends.\n'.repeat(5),
  ],
  ['prose', 'Dear all,\nwe met on Monday, Tuesday and later.\nNothing was decided.\nYours, A.\n'],
  ['log', '2026-05-01  INFO  started\n2026-05-01  INFO  ready\n2026-05-01  WARN  slow\n'],
  [
    'markdown',
    '# Notes\n\nSome words about it.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMore words.\nAnd more.\nAnd more.\n',
  ],
])('%s that is no table is none', (kind, text) => {
  expect(read(text)).toBeUndefined()
})

describe('several tables in one text', () => {
  const tables = [
    [
      { id: '1', item: 'lamp', price: '19' },
      { id: '2', item: 'desk', price: '240' },
      { id: '3', item: 'rug', price: '85' },
    ],
    [
      { day: 'Mon', hours: '7' },
      { day: 'Tue', hours: '8' },
      { day: 'Wed', hours: '6' },
    ],
  ]

  test.each([
    [
      'headings',
      '## Items\n\nid,item,price\n1,lamp,19\n2,desk,240\n3,rug,85\n\n## Hours\n\nday,hours\nMon,7\nTue,8\nWed,6',
    ],
    [
      'headings, of other forms',
      '## Items\nid,item,price\n1,lamp,19\n2,desk,240\n3,rug,85\n## Hours\n| day | hours |\n|---|---|\n| Mon | 7 |\n| Tue | 8 |\n| Wed | 6 |',
    ],
    ['blank lines', 'id,item,price\n1,lamp,19\n2,desk,240\n3,rug,85\n\nday,hours\nMon,7\nTue,8\nWed,6'],
    ['comments', 'id,item,price\n1,lamp,19\n2,desk,240\n3,rug,85\n\n# hours\nday,hours\nMon,7\nTue,8\nWed,6'],
  ])('below %s are a list of lists', (_, text) => {
    expect(read(text)).toEqual(tables)
  })

  test('a blank line inside of a table ends none', () => {
    expect(read('a,b,c\n1,2,3\n\n4,5,6\n')).toHaveLength(2)
  })

  test('tables among more words are a text', () => {
    const words = 'What the figures below mean is told in the chapter before. '.repeat(5)
    expect(
      read(`# Report\n\n${words}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n${words}`),
    ).toBeUndefined()
  })
})

test('a comment above rows of as many cells names their columns', () => {
  const rows = Array.from({ length: 6 }, (_, i) => `shop,web${i},${i},${i % 2 === 0 ? 'UP' : 'DOWN'}`)
  expect(read(lines('# proxy,server,queue,status', ...rows))?.[1]).toEqual({
    proxy: 'shop',
    server: 'web1',
    queue: '1',
    status: 'DOWN',
  })
  expect(read(lines('# all servers, of today', 'proxy,server,queue,status', ...rows))).toHaveLength(6)
})

test('a heading between tables and the lines that are indented below it are one value', () => {
  const tables = Array.from({ length: 4 }, (_, n) =>
    lines(
      ' Column | Type    | Nullable',
      '--------+---------+----------',
      ' id     | bigint  | not null',
      ` name_${n} | text    | `,
      ' at     | date    | not null',
      'Indexes:',
      `    "pk_${n}" PRIMARY KEY, btree (id)`,
      `    "ix_${n}" btree (at)`,
      'Access method: heap',
      '',
    ),
  )
  const shown = recordsStrategy.compress({ text: lines(...tables), goal: 'index pk_2', budget: 120 })?.text
  expect(shown).toContain('Indexes:\n    "pk_2" PRIMARY KEY, btree (id)\n    "ix_2" btree (at)')
})
