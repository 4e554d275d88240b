import type { MenuItemConstructorOptions } from 'electron'

export interface MenuActions {
  readonly open: (route: string) => void
  readonly close: () => void
  readonly quit: () => void
}

type Role = NonNullable<MenuItemConstructorOptions['role']>

export interface MenuItem {
  readonly label?: string
  readonly role?: Role
  readonly type?: 'separator'
  readonly accelerator?: string
  readonly click?: () => void
  readonly submenu?: readonly MenuItem[]
}

const separator: MenuItem = { type: 'separator' }
const roles = (...names: readonly Role[]): MenuItem[] => names.map((role) => ({ role }))

/** In place of Electron's, which reloads the page and opens developer tools. */
export function menuTemplate(platform: NodeJS.Platform, { open, close, quit }: MenuActions): MenuItem[] {
  const isMac = platform === 'darwin'
  const to = (label: string, route: string, accelerator?: string): MenuItem => ({
    label,
    click: () => open(route),
    ...(accelerator === undefined ? {} : { accelerator }),
  })
  const settings = to('Settings…', '/settings', 'CommandOrControl+,')
  const leave: MenuItem = { label: 'Quit Sluice', accelerator: 'CommandOrControl+Q', click: quit }
  const closing: MenuItem = { label: 'Close Window', accelerator: 'CommandOrControl+W', click: close }
  return [
    ...(isMac
      ? [
          {
            label: 'Sluice',
            submenu: [
              ...roles('about'),
              separator,
              settings,
              separator,
              ...roles('services'),
              separator,
              ...roles('hide', 'hideOthers', 'unhide'),
              separator,
              leave,
            ],
          },
        ]
      : []),
    {
      label: 'File',
      submenu: [
        to('Paste a Configuration…', '/servers?add=paste', 'CommandOrControl+N'),
        ...(isMac ? [separator, closing] : [settings, separator, closing, leave]),
      ],
    },
    {
      label: 'Edit',
      submenu: [...roles('undo', 'redo'), separator, ...roles('cut', 'copy', 'paste', 'selectAll')],
    },
    {
      label: 'View',
      submenu: [
        to('Overview', '/', 'CommandOrControl+1'),
        to('Activity', '/activity', 'CommandOrControl+2'),
        to('Results', '/results', 'CommandOrControl+3'),
        to('Servers', '/servers', 'CommandOrControl+4'),
        to('Tools', '/tools', 'CommandOrControl+5'),
        to('Approvals', '/approvals', 'CommandOrControl+6'),
        separator,
        ...roles('resetZoom', 'zoomIn', 'zoomOut'),
        separator,
        ...roles('togglefullscreen'),
      ],
    },
    ...(isMac ? [{ label: 'Window', submenu: roles('minimize', 'zoom', 'front') }] : []),
    {
      label: 'Help',
      submenu: [
        to('Start Guide', '/start'),
        to('Logs', '/logs'),
        ...(isMac ? [] : [separator, ...roles('about')]),
      ],
    },
  ]
}
