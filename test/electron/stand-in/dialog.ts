import { offer } from './control.ts'
import { strict } from './strict.ts'

interface Asked {
  readonly message: string
  readonly detail?: string
  readonly buttons?: readonly string[]
}

const asked: (Asked & { answer?: (button: number) => void })[] = []

export const dialog = strict('dialog', {
  showErrorBox: (title: string, content: string): void => {
    asked.push({ message: title, detail: content })
    // A process that ends right after shows nothing; the test reads its output.
    console.error(`[dialog] ${title}: ${content}`)
  },
  showMessageBox: (options: Asked): Promise<{ response: number; checkboxChecked: boolean }> => {
    console.error(`[dialog] ${options.message}: ${options.detail}`)
    return new Promise((resolve) => {
      asked.push({ ...options, answer: (response) => resolve({ response, checkboxChecked: false }) })
    })
  },
})

offer('dialogs', () => asked.map(({ message, detail, buttons }) => ({ message, detail, buttons })))
offer('answer dialog', (button: string) => {
  const last = asked.findLast(({ answer }) => answer)
  const index = last?.buttons?.indexOf(button) ?? -1
  if (!last?.answer || index === -1) throw new Error(`No dialog has the button "${button}".`)
  last.answer(index)
})
