import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { handOver, isNodeNewEnough } from '../../electron/cli/node-version.ts'
import { writeConfig } from '../helpers/data-folder.ts'
import { CLI_BUILD } from '../helpers/fresh-build.ts'
import { startEngine } from '../helpers/running-engine.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')

/** A Node below 24, where installed: only that shows how it handles the entry. */
const olderNode = (process.env['PATH'] ?? '')
  .split(':')
  .map((folder) => join(folder, 'node'))
  .find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    return stdout ? !isNodeNewEnough(stdout.trim().slice(1)) : false
  })

/** The built entry with a fake program that reports how it was started and waits. */
function entry({ withNode }: { withNode: boolean }): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'cli'))
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  for (const file of [
    'cli',
    'cli/compile-cache',
    'cli/give-memory-back',
    'cli/handed-over',
    'cli/home-folder',
    'cli/node-version',
  ]) {
    const source = readFileSync(join(root, 'electron', `${file}.ts`), 'utf8')
    writeFileSync(
      join(folder, `${file}.js`),
      stripTypeScriptTypes(source).replaceAll(/(from|import\()( ?)'(\..*)\.ts'/g, "$1$2'$3.js'"),
    )
  }
  writeFileSync(
    join(folder, 'cli', 'run-on-this-process.js'),
    `export async function runOnThisProcess(signals) {
      let asked = 0
      const onSignal = () => {
        if (process.argv[2] === 'wait') { console.log('asked to stop'); process.exit(7) }
        console.log(['once', 'twice'][asked++])
        if (asked === 2) process.exit(9)
      }
      if (process.argv[2] !== 'deaf') signals.on('SIGTERM', onSignal)
      console.log(process.versions.node, process.argv.slice(2).join(' '))
      if (process.argv[2] === 'exit') process.exitCode = Number(process.argv[3])
      if (process.argv[2] !== 'exit') setInterval(() => {}, 1000)
    }`,
  )
  if (withNode) {
    mkdirSync(join(folder, 'node_modules', 'node', 'bin'), { recursive: true })
    writeFileSync(join(folder, 'node_modules', 'node', 'package.json'), '{"name": "node"}')
    symlinkSync(process.execPath, join(folder, 'node_modules', 'node', 'bin', 'node'))
  }
  return join(folder, 'cli.js')
}

describe('handOver', () => {
  test('a Node that is new enough goes on by itself', () => {
    const findNode = () => {
      throw new Error('must not be asked')
    }
    for (const version of ['24.0.0', '25.1.0']) {
      expect(
        handOver({ version, execPath: '/node', argv: [], from: import.meta.url, findNode }),
      ).toBeUndefined()
    }
  })
})

describe.skipIf(olderNode === undefined || process.platform === 'win32')('the entry on an older Node', () => {
  const start = (args: string[], options = { withNode: true }) =>
    spawn(olderNode ?? '', [entry(options), ...args], { stdio: ['pipe', 'pipe', 'pipe'] })

  test('runs on the Node that npm installed, with its arguments and its exit code', async () => {
    const child = start(['exit', '5'])
    const code = new Promise((done) => child.on('close', done))
    expect(await text(child.stdout)).toBe(`${process.versions.node} exit 5\n`)
    expect(await code).toBe(5)
  })

  test('passes signals on and waits for the orderly end', async () => {
    const child = start(['wait'])
    const code = new Promise((done) => child.on('close', done))
    const output = text(child.stdout)
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await output).toContain('asked to stop')
    expect(await code).toBe(7)
  })

  const serve = async () => {
    const dataDir = writeConfig(temporaryFolder(), {})
    const outer = await startEngine(dataDir, process.env, {
      command: olderNode ?? '',
      cli: CLI_BUILD,
      isGroup: true,
    })
    onTestFinished(() => void outer.stop('SIGKILL'))
    return outer
  }

  test('kill -9 of the process outside ends the engine in order, so that the next one starts', async () => {
    const outer = await serve()
    expect(await outer.stop('SIGKILL')).toBe(null)
    expect(outer.output()).toContain('Stopping')
    await expect(fetch(`${outer.url}/health`)).rejects.toThrow()
    const next = await startEngine(outer.dataDir)
    expect(await next.stop()).toBe(0)
  })

  test('a signal for the whole group is one request to end, and so is one for the process outside', async () => {
    for (const pid of ['group', 'outer'] as const) {
      const outer = await serve()
      process.kill(pid === 'group' ? -outer.pid : outer.pid, 'SIGTERM')
      expect(await outer.ended).toBe(0)
      expect(outer.output()).not.toContain('stopped at once')
    }
  })

  test('the second request of somebody in a hurry ends it at once', async () => {
    const child = start(['twice'])
    const code = new Promise((done) => child.on('close', done))
    const output = text(child.stdout)
    child.stdout.once('data', () => {
      child.stdout.once('data', () => child.kill('SIGTERM'))
      child.kill('SIGTERM')
    })
    expect(await output).toContain('once\ntwice\n')
    expect(await code).toBe(9)
  })

  test('what nobody listens for ends the process inside as it would by itself', async () => {
    const child = start(['deaf'])
    const ended = new Promise<unknown>((done) => child.on('close', (_, signal) => done(signal)))
    child.stdout.once('data', () => child.kill('SIGTERM'))
    expect(await ended).toBe('SIGTERM')
  })

  test('without one it says so in a sentence', async () => {
    const child = start(['exit', '0'], { withNode: false })
    const code = new Promise((done) => child.on('close', done))
    expect(await text(child.stderr)).toMatch(
      /^Sluice needs Node 24 or newer, but this is Node \d+\.\d+\.\d+ \(.*\)\. .*\n$/,
    )
    expect(await code).toBe(4)
  })
})
