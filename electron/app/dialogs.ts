import { app, dialog, shell } from 'electron'
import { newBrowserLink } from '../cli/open.ts'
import { messageOf, SluiceError } from '../engine/ground/errors.ts'

export async function giveUp(error: unknown, dataDir: string): Promise<void> {
  if (error instanceof SluiceError && error.code === 'ENGINE_RUNNING') await offerBrowser(dataDir)
  else dialog.showErrorBox('Sluice could not start', messageOf(error))
  app.exit(1)
}

async function offerBrowser(dataDir: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'Sluice',
    message: 'Sluice runs already, without its window',
    detail: `"sluice serve", or an older version of the app, works on ${dataDir}. End it to use the app, or look at it in your browser.`,
    buttons: ['Open in the browser', 'Quit'],
    defaultId: 0,
    cancelId: 1,
  })
  if (response === 0) await shell.openExternal(await newBrowserLink(dataDir))
}

/** Lets the user end them; waiting longer doesn't help. */
export async function tellResisting(resisting: readonly string[]): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Sluice',
    message: resisting.length === 1 ? 'Something did not end' : `${resisting.length} servers did not end`,
    detail: `Sluice asked them to end, and then killed them, but they are still there:\n\n${resisting.join('\n')}\n\nEnd them in your system's list of processes.`,
    buttons: ['Quit'],
  })
}

/** Outside any window. */
export const tellFailure = (why: string): void => dialog.showErrorBox('Sluice', why)

/** Omits the link's text, because its author chose the words. */
export const tellBadLink = (why: string): void =>
  dialog.showErrorBox('Sluice did not understand the link', `${why} Nothing was changed.`)
