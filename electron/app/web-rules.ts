import { app, session, shell, type WebContents } from 'electron'
import { isPageUrl } from './serve-page.ts'

/** All windows: no navigation, new windows, embedding or permissions. Links to https pages open in the browser. */
export function setWebRules(): void {
  app.on('web-contents-created', (_event, contents) => confine(contents))
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.defaultSession.setPermissionCheckHandler(() => false)
  session.defaultSession.setDevicePermissionHandler(() => false)
  session.defaultSession.on('will-download', (event, item) => {
    // Exports are blobs of the page; the user chooses the file.
    if (!item.getURL().startsWith('blob:') || !isPageUrl(item.getURL().slice('blob:'.length)))
      event.preventDefault()
  })
}

function confine(contents: WebContents): void {
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url)
    return { action: 'deny' }
  })
  contents.on('will-navigate', (event) => {
    if (isPageUrl(event.url)) return
    event.preventDefault()
    openOutside(event.url)
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** Another scheme than https could start a program. */
function openOutside(url: string): void {
  if (URL.canParse(url) && new URL(url).protocol === 'https:') void shell.openExternal(url)
}
