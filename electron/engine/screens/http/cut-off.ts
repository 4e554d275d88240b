import type { ServerResponse } from 'node:http'
import type { Admission } from './browser-access.ts'

const CHECKED_EVERY_MS = 1000

export function createCutOff(): { whenOver(admission: Admission, response: ServerResponse): void } {
  const open = new Map<ServerResponse, Admission>()
  let timer: NodeJS.Timeout | undefined
  const check = (): void => {
    for (const [response, admission] of open) if (!admission.holds()) response.destroy()
  }
  return {
    whenOver: (admission, response) => {
      open.set(response, admission)
      timer ??= setInterval(check, CHECKED_EVERY_MS).unref()
      response.once('close', () => {
        open.delete(response)
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
  }
}
