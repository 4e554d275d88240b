/**
 * Actions of a person or the system: click, wake, call. Each part of the stand-in offers its own; the test calls them
 * over the channel of `fork`.
 */
type Control = (input: never) => unknown

const controls = new Map<string, Control>()

export const offer = (name: string, control: Control): void => void controls.set(name, control)

interface Asked {
  readonly id: number
  readonly name: string
  readonly input: unknown
}

async function answer({ id, name, input }: Asked): Promise<void> {
  try {
    const control = controls.get(name)
    if (!control) throw new Error(`The stand-in offers no "${name}".`)
    // Test and control use the same type; the channel carries nothing else.
    process.send?.({ id, output: await control(input as never) })
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

// Timers of one process fire in order: after this one, every earlier and shorter one has fired.
offer('timer', (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)))

process.on('message', (asked: Asked) => void answer(asked))
// An app lives until it quits, also while only waiting; without its test it should end.
process.on('disconnect', () => process.exit(1))
setInterval(() => {}, 2 ** 30)
