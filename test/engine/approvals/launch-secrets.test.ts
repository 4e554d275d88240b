import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { canonicalDefinition } from '../../../electron/engine/approvals/definition-hash.ts'
import { identityOf, launchOf } from '../../../electron/engine/approvals/launch.ts'
import { pinMigrations } from '../../../electron/engine/approvals/pin-migrations.ts'
import { PinStore } from '../../../electron/engine/approvals/pin-store.ts'
import { openDatabase } from '../../../electron/engine/database.ts'
import { silentLogger } from '../../../electron/engine/logger.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const args = (...values: string[]) => launchOf({ command: 'x', args: values })['args']

it.each([
  [
    ['--api-key=abc', '--name=abc'],
    ['--api-key=…', '--name=abc'],
  ],
  [
    ['--token', 'abc', 'abc'],
    ['--token', '…', 'abc'],
  ],
  [
    ['-e', 'GITHUB_TOKEN=abc', '-e', 'MODE=abc'],
    ['-e', 'GITHUB_TOKEN=…', '-e', 'MODE=abc'],
  ],
  [
    ['--db-pw', 'abc', '--dbPass', 'abc', '--creds=abc', '--bypass', 'abc', '--spw', 'abc'],
    ['--db-pw', '…', '--dbPass', '…', '--creds=…', '--bypass', 'abc', '--spw', 'abc'],
  ],
  [['--env=API_KEY=abc'], ['--env=API_KEY=…']],
  [
    ['--header', 'Authorization: Bearer abc', 'X-Api-Key: k', 'Accept: a'],
    ['--header', 'Authorization: …', 'X-Api-Key: …', 'Accept: a'],
  ],
  [
    ['postgres://ann:pw@db.example/shop', 'https://abc@h.example/'],
    ['postgres://ann:…@db.example/shop', 'https://…@h.example/'],
  ],
  [['https://h.example/mcp?token=abc&team=blue#x'], ['https://h.example/mcp?token=…&team=blue#x']],
])('of a launch with secrets in %j, %j is written down', (given, written) => {
  expect(args(...given)).toEqual(written)
  expect(args(...written)).toEqual(written)
})

it('leaves nothing out that could be another program: files, packages, placeholders, flags', () => {
  const kept = [
    '-y',
    'some-long-package-name-1@2.3.4',
    '--key',
    './evil.js',
    '--auth=/tmp/evil',
    '--key',
    '--x',
  ]
  expect(args(...kept, '--token', '${secret:A}', '--token=')).toEqual([
    ...kept,
    '--token',
    '${secret:A}',
    '--token=',
  ])
  // A package, for npx: what a letter stands for nobody knows, and another one must be asked about.
  expect(args('-p', 'evil')).toEqual(['-p', 'evil'])
  expect(args('--key', 'C:\\evil.js', '--tokenizer', 'evil')).toEqual([
    '--key',
    'C:\\evil.js',
    '--tokenizer',
    'evil',
  ])
})

it('another secret is no other server, as with variables', () => {
  const with_ = (key: string) => identityOf({ command: 'x', args: ['--api-key', key], env: { A: key } })
  expect(with_('one')).toBe(with_('two'))
  const at = (key: string) => identityOf({ url: `https://h.example/?api_key=${key}` })
  expect(at('one')).toBe(at('two'))
  expect(identityOf({ url: 'https://h.example/?team=a' })).not.toBe(
    identityOf({ url: 'https://h.example/?team=b' }),
  )
})

/** As earlier versions wrote it: launches word for word, or but for the names of secrets that they knew. */
function oldPins(version: number): string {
  const path = join(temporaryFolder(), 'pins.db')
  const database = openDatabase({
    path,
    logger: silentLogger,
    now: () => 1,
    migrations: pinMigrations.slice(0, version),
  })
  const store = new PinStore(database, () => 1)
  const tool = canonicalDefinition({ name: 'a' })
  for (const [key, at] of [
    ['SECRET-OLD', 5],
    ['SECRET-NEW', 9],
  ] as const) {
    const launch = { args: ['--db-pw', key], command: 'x', env: [] }
    const identity = canonicalDefinition(launch).hash
    const pinned = canonicalDefinition({ ...launch, packages: [{ name: 'x', version: '1' }] })
    database.prepare('INSERT INTO servers VALUES (?, ?, ?, 1, ?)').run(identity, 's', pinned.text, at)
    const offered = [
      { kind: 'server' as const, name: '', hash: pinned.hash, definition: pinned.text },
      { kind: 'tool' as const, name: 'a', hash: tool.hash, definition: tool.text },
    ]
    store.setPending(
      identity,
      offered.map((item) => ({ ...item, change: 'new' as const })),
    )
    store.sightings.meet(identity, 'view', at)
    store.sightings.note(identity, 'view', offered)
    if (key === 'SECRET-NEW') store.approve(identity, new Set(offered.map(({ hash }) => hash)), 'me')
  }
  store.meet('plain', 'other', '{"args":["a"],"command":"y","env":[]}')
  store.close()
  return path
}

it.each([2, 3])(
  'a record of version %i goes on matching, and has no secret in its file any more',
  (version) => {
    const path = oldPins(version)
    expect(readFileSync(path).includes('SECRET-NEW')).toBe(true)
    const store = new PinStore(
      openDatabase({
        path,
        logger: silentLogger,
        now: () => 2,
        migrations: pinMigrations,
        onDamage: 'throw',
      }),
      () => 2,
    )
    const settings = { command: 'x', args: ['--db-pw', 'SECRET-NEWER'] }
    const identity = identityOf(settings)
    const live = canonicalDefinition({ ...launchOf(settings), packages: [{ name: 'x', version: '1' }] })
    expect(store.pinsOf(identity).map(({ kind, name, hash }) => [kind, name, hash])).toEqual([
      ['server', '', live.hash],
      ['tool', 'a', canonicalDefinition({ name: 'a' }).hash],
    ])
    expect(store.pending()).toEqual([])
    expect(store.sightings.hasMet(identity, 'view')).toBe(true)
    expect([...(store.sightings.all(identity).get('server ') ?? [])]).toEqual([live.hash])
    expect(store.servers().map((server) => [server.identity, server.launch])).toEqual([
      [identity, live.text],
      ['plain', '{"args":["a"],"command":"y","env":[]}'],
    ])
    expect(store.history(identity).map(({ action }) => action)).toContain('approved')
    for (const name of readdirSync(join(path, '..')))
      expect(readFileSync(join(path, '..', name)).toString('latin1')).not.toContain('SECRET-')
    store.close()
  },
)
