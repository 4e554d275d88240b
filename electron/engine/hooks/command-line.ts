/** One program with its arguments, quotes taken off. */
export interface SimpleCommand {
  /** Without folder and ending. */
  readonly program: string
  readonly words: readonly Word[]
}

interface Word {
  readonly text: string
  readonly isQuoted: boolean
}

/** Longer lines are scripts, whose words say little. */
const LONGEST = 4_000
const TOKEN = /[^\S\n]*(?:(\n|\|\|?|&&?|;)|((?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\|&;])+)|(.))/gsy
/** Before a program's name. */
const BEFORE = /^(?:\w+=.*|sudo|command|time|nohup|env|exec)$/s

/** Of a shell's line, in order. What a quote holds isn't looked into. */
export function commandsOf(line: string): readonly SimpleCommand[] {
  const commands: Word[][] = [[]]
  for (const [, separator, word] of line.slice(0, LONGEST).trimEnd().matchAll(TOKEN)) {
    if (separator !== undefined) commands.push([])
    else if (word !== undefined) commands.at(-1)?.push(wordOf(word))
  }
  return commands.flatMap((words) => {
    const first = words.findIndex(({ text }) => !BEFORE.test(text))
    const program = words[first]?.text.replace(/^.*[\\/]/s, '').replace(/\.(?:exe|cmd)$/i, '')
    return program === undefined || program === '' ? [] : [{ program, words: words.slice(first + 1) }]
  })
}

const wordOf = (raw: string): Word => ({
  text: raw.replaceAll(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs, (_, single, double, escaped) =>
    String(single ?? double ?? escaped),
  ),
  isQuoted: /['"]/.test(raw),
})
