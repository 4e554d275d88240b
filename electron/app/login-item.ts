import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'
import { loginState, type LoginState } from './login-state.ts'
import type { Machine } from '../engine/ground/surroundings.ts'

/** Hidden in the tray. */
export interface LoginItem {
  /** Undefined if available. */
  readonly unavailable: string | undefined
  state(): LoginState
  set(on: boolean): void
}

const HIDDEN = '--hidden'

export interface LoginItemOptions extends Machine {
  readonly program: string
  readonly isPackaged: boolean
}

export function createLoginItem(options: LoginItemOptions): LoginItem {
  if (!options.isPackaged)
    return {
      unavailable: 'Only an installed Sluice can start at login.',
      state: () => ({ isOn: false }),
      set: () => {},
    }
  return options.platform === 'linux' ? autostartEntry(options) : systemLoginItem(options)
}

function systemLoginItem({ platform, program }: LoginItemOptions): LoginItem {
  // Windows needs both to find the entry; macOS takes none.
  const args = platform === 'win32' ? { path: program, args: [HIDDEN] } : {}
  return {
    unavailable: undefined,
    state: () => loginState(platform, app.getLoginItemSettings(args)),
    set: (on) => app.setLoginItemSettings({ openAtLogin: on, ...args }),
  }
}

/** Electron has no API for Linux; desktops read this folder (XDG Autostart specification). */
function autostartEntry({ env, homeDir, program }: LoginItemOptions): LoginItem {
  const folder = join(env['XDG_CONFIG_HOME'] || join(homeDir, '.config'), 'autostart')
  const path = join(folder, 'sluice.desktop')
  return {
    unavailable: undefined,
    state: () => ({ isOn: existsSync(path) && !/^Hidden\s*=\s*true/im.test(readFileSync(path, 'utf8')) }),
    set: (on) => {
      if (!on) return rmSync(path, { force: true })
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, desktopEntry(program))
    },
  }
}

const desktopEntry = (program: string): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Sluice',
    'Comment=Stands between AI apps and their MCP servers',
    `Exec=${quoteForExec(program)} ${HIDDEN}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')

/** Desktop Entry specification: reserved characters in double quotes, `%` doubled. */
const quoteForExec = (path: string): string =>
  `"${path
    .replaceAll(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')}"`
