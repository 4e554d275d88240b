import { app } from 'electron'
import { usePlace } from './app/desktop-place.ts'
import { startEngineHost } from './app/engine-host.ts'
import { createMainWindow } from './app/main-window.ts'
import { takeScreensPorts } from './app/screens-port.ts'
import { registerPageScheme, servePage } from './app/serve-page.ts'
import { setWebRules } from './app/web-rules.ts'
import { join } from 'node:path'

const place = usePlace()
registerPageScheme()
// Not awaited: Electron is not ready before this module has been evaluated.
void runDesktop()

async function runDesktop(): Promise<void> {
  await app.whenReady()
  setWebRules()
  servePage(join(place.builtFolder, 'renderer'))
  const host = await startEngineHost(place)
  takeScreensPorts({ serveScreens: (port) => host.engine.serveScreens(port), logger: host.logger })
  const window = createMainWindow(place)
  if (!place.startsHidden) window.show()
}
