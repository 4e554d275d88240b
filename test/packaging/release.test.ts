import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { collectRelease, writeCheckSums } from '../../electron/packaging/release/collect.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const feed = (processor: string, version = '1.2.3'): string => `version: ${version}
files:
  - url: Sluice-${version}-mac-${processor}.zip
    sha512: ${processor}==
    size: 5
path: Sluice-${version}-mac-${processor}.zip
sha512: ${processor}==
releaseDate: '2026-01-01T00:00:00.000Z'
`

function write(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

describe('collecting a release', () => {
  it('joins what two machines say about updates for macOS, and leaves out what no release holds', () => {
    const folder = write(temporaryFolder(), {
      'packed/packed-mac-arm64/Sluice-1.2.3-mac-arm64.zip': 'arm64',
      'packed/packed-mac-arm64/latest-mac.yml': feed('arm64'),
      'packed/packed-mac-x64/Sluice-1.2.3-mac-x64.zip': 'intel',
      'packed/packed-mac-x64/latest-mac.yml': feed('x64'),
      'packed/packed-linux-x64/builder-debug.yml': 'no',
    })
    const out = join(folder, 'out')
    expect(collectRelease(join(folder, 'packed'), out)).toEqual([
      'Sluice-1.2.3-mac-arm64.zip',
      'Sluice-1.2.3-mac-x64.zip',
      'latest-mac.yml',
    ])
    expect(parse(readFileSync(join(out, 'latest-mac.yml'), 'utf8'))).toMatchObject({
      version: '1.2.3',
      files: [
        { url: 'Sluice-1.2.3-mac-arm64.zip', sha512: 'arm64==' },
        { url: 'Sluice-1.2.3-mac-x64.zip', sha512: 'x64==' },
      ],
    })
  })

  it('refuses two files of one name, feeds of different versions, and nothing at all', () => {
    const twice = write(temporaryFolder(), { 'a/Sluice.exe': 'one', 'b/Sluice.exe': 'two' })
    expect(() => collectRelease(twice, join(twice, 'out'))).toThrow('Sluice.exe was made more than once')
    const versions = write(temporaryFolder(), {
      'a/latest-mac.yml': feed('arm64'),
      'b/latest-mac.yml': feed('x64', '1.2.4'),
    })
    expect(() => collectRelease(versions, join(versions, 'out'))).toThrow('different versions')
    const empty = temporaryFolder()
    expect(() => collectRelease(empty, join(empty, 'out'))).toThrow('Nothing to release')
  })

  it.skipIf(process.platform === 'win32')('writes check sums that the usual tool reads', () => {
    const folder = write(temporaryFolder(), { 'a.exe': 'one', 'b.dmg': 'two' })
    writeCheckSums(folder)
    writeCheckSums(folder)
    const tool = process.platform === 'darwin' ? ['shasum', '-a', '256'] : ['sha256sum']
    const [command = '', ...args] = tool
    expect(execFileSync(command, [...args, '--check', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' })).toBe(
      'a.exe: OK\nb.dmg: OK\n',
    )
  })
})

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<string, { permissions?: Record<string, string>; steps: readonly WorkflowStep[]; if?: string }>
  >
}
interface WorkflowStep {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

const workflows = resolve(import.meta.dirname, '../../.github/workflows')

describe.each(readdirSync(workflows))('.github/workflows/%s', (name) => {
  const source = readFileSync(join(workflows, name), 'utf8')
  const workflow = parse(source) as Workflow
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

  it('pins every action to a commit and says which version that is', () => {
    const used = source.split('\n').filter((line) => /^\s*(- )?uses:/.test(line))
    expect(used.length).toBeGreaterThan(1)
    expect(used.filter((line) => !/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual(
      [],
    )
  })

  it('may read, and write only where it drafts a release of a tag', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const [job, { permissions, if: condition }] of Object.entries(workflow.jobs)) {
      if (permissions === undefined) continue
      expect([job, condition]).toEqual(['draft', "github.ref_type == 'tag'"])
      expect(Object.keys(permissions).sort()).toEqual(['attestations', 'contents', 'id-token'])
    }
  })

  it('puts no text from outside into its commands, and keeps no credentials', () => {
    expect(steps.filter(({ run }) => run?.includes('${{'))).toEqual([])
    for (const { uses, with: inputs } of steps) {
      if (uses?.startsWith('actions/checkout')) expect(inputs?.['persist-credentials']).toBe(false)
    }
  })
})
