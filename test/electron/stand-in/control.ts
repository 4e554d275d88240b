/**
 * What the test does that a person or the system would: click, wake, call. Each part of the stand-in offers its own; the
 * test asks over the channel of `fork`.
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
    // Test and control name the same type; nothing else is on this channel.
    process.send?.({ id, output: await control(input as never) })
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

// Timers of one process fire in their order: when this one has, one that was set before and is no longer has, too.
offer('timer', (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)))

process.on('message', (asked: Asked) => void answer(asked))
// An app lives until it quits, also while it only waits for somebody to answer; without its test it has no reason to.
process.on('disconnect', () => process.exit(1))
setInterval(() => {}, 2 ** 30)
