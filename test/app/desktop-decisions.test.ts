import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { activationPolicy } from '../../electron/app/activation-policy.ts'
import { hiddenNotice } from '../../electron/app/hidden-notice.ts'
import { loginState } from '../../electron/app/login-state.ts'
import { menuTemplate, type MenuItem } from '../../electron/app/menu-template.ts'
import { startsHidden } from '../../electron/app/starts-hidden.ts'
import { showsTray } from '../../electron/app/tray-host.ts'
import { trayGuid, trayPicture } from '../../electron/app/tray-picture.ts'

const SYSTEMS = ['darwin', 'win32', 'linux'] as const

test('started by the session it opens no window, on all systems; a link opens one', () => {
  const start = { isRequested: false, wasOpenedAtLogin: false, hasLink: false }
  expect(SYSTEMS.map((platform) => startsHidden({ ...start, platform }))).toEqual([false, false, false])
  const told = { ...start, isRequested: true }
  expect(SYSTEMS.map((platform) => startsHidden({ ...told, platform }))).toEqual([true, true, true])
  const atLogin = { ...start, wasOpenedAtLogin: true }
  expect(startsHidden({ ...atLogin, platform: 'darwin' })).toBe(true)
  expect(startsHidden({ ...told, hasLink: true, platform: 'linux' })).toBe(false)
})

test('a login item that the system holds up stays chosen, and says what to do', () => {
  expect(loginState('darwin', { openAtLogin: false, status: 'requires-approval' })).toMatchObject({
    isOn: true,
    remark: expect.stringContaining('Login Items') as unknown,
  })
  expect(loginState('darwin', { openAtLogin: true, status: 'enabled' })).toEqual({ isOn: true })
  expect(loginState('win32', { openAtLogin: true, executableWillLaunchAtLogin: false }).remark).toContain(
    'Startup apps',
  )
  expect(loginState('win32', { openAtLogin: false, executableWillLaunchAtLogin: false })).toEqual({
    isOn: false,
  })
})

describe('the menu', () => {
  const flat = (items: readonly MenuItem[]): MenuItem[] =>
    items.flatMap((item) => [item, ...flat(item.submenu ?? [])])
  const actions = { open: () => {}, close: () => {}, quit: () => {} }

  test('has Settings and Quit where each system has them, editing keys, and neither reload nor developer tools', () => {
    for (const platform of SYSTEMS) {
      const menu = menuTemplate(platform, actions)
      const all = flat(menu)
      expect(all.map(({ role }) => role)).toEqual(
        expect.arrayContaining(['copy', 'paste', 'selectAll', 'about']),
      )
      expect(JSON.stringify(all)).not.toMatch(/reload|toggleDevTools/i)
      const home = menu[0]?.submenu?.map(({ label }) => label)
      expect([menu[0]?.label, home]).toEqual([
        platform === 'darwin' ? 'Sluice' : 'File',
        expect.arrayContaining(['Settings…', 'Quit Sluice']),
      ])
      const keys = all.flatMap(({ accelerator }) => accelerator ?? [])
      expect(new Set(keys).size).toBe(keys.length)
      expect(keys).toEqual(
        expect.arrayContaining(['CommandOrControl+,', 'CommandOrControl+Q', 'CommandOrControl+W']),
      )
    }
  })

  test('opens screens, closes and quits', () => {
    const did: string[] = []
    const menu = menuTemplate('linux', {
      open: (route) => void did.push(route),
      close: () => void did.push('close'),
      quit: () => void did.push('quit'),
    })
    for (const { click } of flat(menu)) click?.()
    expect(did).toEqual(expect.arrayContaining(['/settings', '/approvals', '/start', 'close', 'quit']))
  })
})

test('macOS shows the app in the dock only while a window is visible', () => {
  expect([[], [false], [false, true]].map(activationPolicy)).toEqual(['accessory', 'accessory', 'regular'])
})

describe('the tray', () => {
  test('has a picture with enough pixels, which is there, and a place that Windows and macOS remember', () => {
    const folder = resolve(import.meta.dirname, '../../resources/icons/tray')
    const linux = [[1], [1.25], [1, 2], []].map((scales) => trayPicture('linux', 'on', scales))
    expect(linux).toEqual(['on-22.png', 'on-32.png', 'on-48.png', 'on-22.png'])
    for (const name of [...linux, trayPicture('darwin', 'off', [2]), trayPicture('win32', 'attention', [1])])
      expect(existsSync(join(folder, name))).toBe(true)
    expect(trayGuid('win32')).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(trayGuid('linux')).toBeUndefined()
  })

  test('is missing where D-Bus says that none shows it; without an answer it counts as there', async () => {
    const asked: string[] = []
    const says = (answer: string) => async (command: string) => {
      asked.push(command)
      return answer
    }
    expect(await showsTray('linux', says('(false,)\n'))).toBe(false)
    expect(await showsTray('linux', says('(true,)\n'))).toBe(true)
    expect(await showsTray('linux', () => Promise.reject(new Error('not installed')))).toBe(true)
    expect(await showsTray('darwin', says('(false,)'))).toBe(true)
    expect(asked).toEqual(['gdbus', 'gdbus'])
  })

  test('closing the window says once where the app is, and always where no tray shows it', () => {
    const facts = { platform: 'linux', hasTray: true, wasNotified: false } as const
    expect(hiddenNotice(facts)?.body).toContain('tray')
    expect(hiddenNotice({ ...facts, wasNotified: true })).toBeUndefined()
    expect(hiddenNotice({ ...facts, hasTray: false, wasNotified: true })?.body).toContain(
      'start Sluice again',
    )
  })
})
