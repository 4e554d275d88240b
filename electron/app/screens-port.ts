import { ipcMain, type IpcMainEvent, type MessagePortMain } from 'electron'
import { messageOf } from '../engine/ground/errors.ts'
import type { Logger } from '../engine/ground/logger.ts'
import { isPageUrl } from './serve-page.ts'

/** Must match the preload script and renderer/api.ts. */
const HAND_OVER = 'sluice:port'

/** A port grants full access: only the main frame of our page gets one. */
export function takeScreensPorts(options: {
  serveScreens(port: MessagePortMain): Promise<void>
  logger: Logger
}): () => void {
  const onPort = (event: IpcMainEvent): void => {
    const [port, ...others] = event.ports
    for (const other of others) other.close()
    if (!port) return
    if (!isOurPage(event)) {
      options.logger.warn("Refused a page that isn't Sluice's: it asked for the engine.", {
        from: event.senderFrame?.url ?? 'a frame that is gone',
      })
      port.close()
      return
    }
    options.serveScreens(port).then(
      () => port.start(),
      (error: unknown) => {
        options.logger.error('The screens could not be opened.', { cause: messageOf(error) })
        port.close()
      },
    )
  }
  ipcMain.on(HAND_OVER, onPort)
  return () => ipcMain.off(HAND_OVER, onPort)
}

const isOurPage = ({ sender, senderFrame }: IpcMainEvent): boolean =>
  senderFrame !== null && senderFrame === sender.mainFrame && isPageUrl(senderFrame.url)
