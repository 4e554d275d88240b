import { offer } from './control.ts'
import { strict } from './strict.ts'

const opened: string[] = []

export const shell = strict('shell', {
  openExternal: (url: string): Promise<void> => {
    opened.push(url)
    console.log(`[opened] ${url}`)
    return Promise.resolve()
  },
})

offer('opened outside', () => opened)
