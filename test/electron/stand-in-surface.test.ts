import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, it } from 'vitest'

// The stand-in must match Electron in names, parameters, results and events, checked against electron.d.ts.

const folder = join(import.meta.dirname, 'stand-in')
const root = resolve(import.meta.dirname, '../..')
const PROBE = join(folder, 'surface-probe.ts')

/** Stand-ins for Electron's values. Members with an underscore are for the tests. */
const values: Readonly<Record<string, string>> = {
  app: 'Electron.App',
  autoUpdater: 'Electron.AutoUpdater',
  crashReporter: 'Electron.CrashReporter',
  dialog: 'Electron.Dialog',
  ipcMain: 'Electron.IpcMain',
  nativeTheme: 'Electron.NativeTheme',
  powerMonitor: 'Electron.PowerMonitor',
  protocol: 'Electron.Protocol',
  safeStorage: 'Electron.SafeStorage',
  screen: 'Electron.Screen',
  shell: 'Electron.Shell',
  nativeImage: 'typeof Electron.nativeImage',
  session: 'typeof Electron.session',
  utilityProcess: 'typeof Electron.utilityProcess',
}
const classes = ['BrowserWindow', 'Menu', 'Notification', 'Tray'] as const
/** Reached only through those values. */
const parts: Readonly<Record<string, string>> = {
  "InstanceType<typeof standIn.BrowserWindow>['webContents']": 'Electron.WebContents',
  "InstanceType<typeof standIn.BrowserWindow>['webContents']['mainFrame']": 'Electron.WebFrameMain',
  "(typeof standIn.session)['defaultSession']": 'Electron.Session',
  "ReturnType<(typeof standIn.utilityProcess)['fork']>": 'Electron.UtilityProcess',
  "ReturnType<(typeof standIn.nativeImage)['createFromPath']>": 'Electron.NativeImage',
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  allowImportingTsExtensions: true,
}

/** Libraries and packages, parsed once for all probes. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** Compiler errors for a probe beside the stand-in, which exists only for the compiler. */
function complaintsAbout(source: string): string[] {
  const host = ts.createCompilerHost(options)
  const plain = ts.createCompilerHost(options)
  host.getCurrentDirectory = () => root
  host.fileExists = (path) => path === PROBE || plain.fileExists(path)
  host.readFile = (path) => (path === PROBE ? source : plain.readFile(path))
  host.getSourceFile = (path, target, ...rest) => {
    if (path === PROBE) return ts.createSourceFile(path, source, target)
    if (!parsed.has(path)) parsed.set(path, plain.getSourceFile(path, target, ...rest))
    return parsed.get(path)
  }
  const program = ts.createProgram([PROBE], options, host)
  const file = program.getSourceFile(PROBE)
  return [...program.getSemanticDiagnostics(file), ...program.getSyntacticDiagnostics(file)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'),
  )
}

const PROLOGUE = `
import type { EventEmitter } from 'node:events'
import type * as Electron from 'electron'
import type * as standIn from './electron.ts'
/** Names that only the tests use, and those of EventEmitter, whose events are compared apart. */
type Own<T> = Exclude<keyof T, \`_\${string}\` | keyof EventEmitter | 'prototype'>
/** Members of the stand-in that Electron does not have. */
type Invented<StandIn, Real> = Exclude<Own<StandIn>, keyof Real>
/** Methods that can't be called as Electron's are. */
type Misfit<StandIn, Real> = {
  [Key in Own<StandIn> & keyof Real]: Real[Key] extends (...args: infer RealArgs) => unknown
    ? StandIn[Key] extends (...args: infer Args) => unknown
      ? Args['length'] extends 0
        ? never
        : Partial<RealArgs> extends Partial<Args> ? never : Args extends RealArgs ? never : Key
      : Key
    : never
}[Exclude<Own<StandIn> & keyof Real, Narrower>]
/** Takes a picture or a menu of the stand-in's own only, where Electron takes paths and more kinds of items, too. */
type Narrower = 'setImage' | 'buildFromTemplate' | 'setApplicationMenu' | 'setContextMenu'
type Nothing<T extends never> = T
`

const check = (standIn: string, real: string, name: string): string =>
  `export type Invented_${name} = Nothing<Invented<${standIn}, ${real}>>\n` +
  `export type Misfit_${name} = Nothing<Misfit<${standIn}, ${real}>>\n`

describe('the stand-in for Electron', () => {
  let program: string
  beforeAll(() => {
    const checks = [
      ...Object.entries(values).map(([name, real]) => check(`typeof standIn.${name}`, real, name)),
      ...classes.flatMap((name) => [
        check(`InstanceType<typeof standIn.${name}>`, `Electron.${name}`, name),
        check(`typeof standIn.${name}`, `typeof Electron.${name}`, `static_${name}`),
      ]),
      ...Object.entries(parts).map(([standIn, real], index) => check(standIn, real, `part_${index}`)),
    ]
    program = PROLOGUE + checks.join('')
  })

  it('has nothing that Electron does not have, and takes what Electron takes', () => {
    expect(complaintsAbout(program)).toEqual([])
  })

  it('would be caught with an invented method, and with a parameter of another type', () => {
    const invented = `${PROLOGUE}
type Liar = { quit(): void; flyAway(): void }
${check('Liar', 'Electron.App', 'liar')}`
    expect(complaintsAbout(invented).join('\n')).toContain('flyAway')
    const misfit = `${PROLOGUE}
type Liar = { setName(name: number): void }
${check('Liar', 'Electron.App', 'liar')}`
    expect(complaintsAbout(misfit).join('\n')).toContain('setName')
  })

  it('covers every name that it exports', () => {
    const source = readFileSync(join(folder, 'electron.ts'), 'utf8')
    const [, list = ''] = /export \{([^}]*)\}/.exec(source) ?? []
    const names = list
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    expect(names.toSorted()).toEqual([...Object.keys(values), ...classes].toSorted())
  })

  it('sends no event that Electron does not have', () => {
    const types = readFileSync(join(root, 'node_modules/electron/electron.d.ts'), 'utf8')
    const known = new Set([...types.matchAll(/\bon\(event: '([^']+)'/g)].map(([, name]) => name))
    const sent = globSync('*.ts', { cwd: folder }).flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\.emit\('([^']+)'/g)].map(([, name]) => name),
    )
    expect(sent.length).toBeGreaterThan(15)
    // Channel names of ipcMain are the app's own.
    expect(sent.filter((name) => !known.has(name) && name !== 'sluice:port')).toEqual([])
  })
})
