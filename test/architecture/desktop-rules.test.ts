import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

// Statements of SECURITY.md on the desktop app that no running test can show.

const root = join(import.meta.dirname, '../..')
const sources = globSync('electron/**/*.ts', { cwd: root }).map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(join(root, path), 'utf8'),
}))
const where = (pattern: RegExp): string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort()

describe('the desktop app', () => {
  it('imports electron nowhere but in main.ts, preload.ts and app/', () => {
    const found = where(/from 'electron'|import\('electron'\)|require\('electron'\)/)
    expect(found.length).toBeGreaterThan(10)
    expect(found.filter((path) => !/^electron\/(?:main\.ts|preload\.ts|app\/)/.test(path))).toEqual([])
  })

  it('makes windows in two places, both with the same preferences', () => {
    const found = where(/new BrowserWindow\(/)
    expect(found).toEqual(['electron/app/approval-window.ts', 'electron/app/main-window.ts'])
    for (const path of found)
      expect(readFileSync(join(root, path), 'utf8')).toContain(
        'webPreferences: webPreferences(options.builtFolder)',
      )
  })

  it('keeps every switch of these preferences on its safe side', () => {
    const text = readFileSync(join(root, 'electron/app/web-preferences.ts'), 'utf8')
    const switches = Object.fromEntries(
      [...text.matchAll(/^ {2}(\w+): (true|false),$/gm)].map(([, name, value]) => [name, value === 'true']),
    )
    expect(switches).toEqual({
      contextIsolation: true,
      sandbox: true,
      webSecurity: true,
      safeDialogs: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
    })
  })

  it('has one channel, and exposes nothing to pages', () => {
    expect(where(/\bipcMain\b/)).toEqual(['electron/app/screens-port.ts'])
    expect(where(/\bipcRenderer\b/)).toEqual(['electron/preload.ts'])
    expect(where(/\bcontextBridge\b|exposeInMainWorld|@electron\/remote|webContents\.send/)).toEqual([])
  })

  it('opens addresses outside in two places, and loads no files as pages', () => {
    expect(where(/openExternal\(/)).toEqual(['electron/app/dialogs.ts', 'electron/app/web-rules.ts'])
    expect(where(/loadFile\(|openPath\(|executeJavaScript\(|insertCSS\(/)).toEqual([])
  })

  it('sends no crash report', () => {
    expect(where(/crashReporter\.start/)).toEqual(['electron/app/crash-reports.ts'])
    expect(where(/uploadToServer: true|submitURL/)).toEqual([])
  })
})
