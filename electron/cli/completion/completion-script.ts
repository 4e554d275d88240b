import type { Command, Option } from 'commander'

/** A command with the words that lead to it, `cache list`; the program itself has none. */
interface Place {
  readonly words: string
  readonly about: string
  readonly options: readonly Option[]
  readonly commands: readonly Place[]
  /** Of its first argument. */
  readonly choices: readonly string[]
}

/** From the tree of commands, so that it has what --help has. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = flat(placeOf(program, '', program.options))
  return shell === 'bash' ? bash(places) : shell === 'zsh' ? zsh(places) : fish(places)
}

function placeOf(command: Command, words: string, global: readonly Option[]): Place {
  const commands = command.commands.map((inner) => placeOf(inner, `${words} ${inner.name()}`.trim(), global))
  return {
    words,
    about: command.description(),
    options: [...new Set([...command.options, ...global])].filter(({ hidden }) => !hidden),
    commands,
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }
}

const flat = (place: Place): readonly Place[] => [place, ...place.commands.flatMap(flat)]

const lastWord = (words: string): string => words.split(' ').at(-1) ?? ''
const flagOf = ({ long, short }: Option): string => long ?? short ?? ''
const flagsOf = ({ options }: Place): string[] => [...options.map(flagOf), '--help']
const wordsOf = ({ commands, choices }: Place): string[] => [
  ...commands.map(({ words }) => lastWord(words)),
  ...choices,
]
const takesValue = ({ required, optional }: Option): boolean => required || optional

/** `at` follows the words that are commands; what isn't one, such as a file, doesn't move it. */
const follow = (places: readonly Place[], words: string): string =>
  `for word in ${words}; do
    case "$at $word" in
      ${places
        .filter(({ words: name }) => name !== '')
        .map(({ words: name }) => `"${name.includes(' ') ? name : ` ${name}`}"`)
        .join('|')}) at="\${at:+$at }$word" ;;
    esac
  done`

function bash(places: readonly Place[]): string {
  const values = places.flatMap(({ words, options }) =>
    options
      .filter(takesValue)
      .map((option) => `    "${words} ${flagOf(option)}") values=(${quoted(option.argChoices ?? [])}) ;;`),
  )
  const commands = places.map(
    (place) =>
      `    "${place.words}") words=(${quoted(wordsOf(place))}); flags=(${quoted(flagsOf(place))}) ;;`,
  )
  return `# sluice completion bash
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" at="" word
  local -a words=() flags=() values=(-)
  COMPREPLY=()
  ${follow(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$at \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  if [[ "\${values[*]}" != - ]]; then
    # No match: the shell completes files.
    COMPREPLY=($(compgen -W "\${values[*]}" -- "$current"))
    return
  fi
  case "$at" in
${commands.join('\n')}
  esac
  [[ "$current" == -* ]] && words=("\${flags[@]}")
  COMPREPLY=($(compgen -W "\${words[*]}" -- "$current"))
}
complete -o default -F _sluice sluice
`
}

function zsh(places: readonly Place[]): string {
  const values = places.flatMap(({ words, options }) =>
    options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map(
        (option) =>
          `    "${words} ${flagOf(option)}") compadd -- ${quoted(option.argChoices ?? [])}; return ;;`,
      ),
  )
  const files = places.flatMap(({ words, options }) =>
    options
      .filter((option) => takesValue(option) && option.argChoices === undefined)
      .map((option) => `"${words} ${flagOf(option)}"`),
  )
  const commands = places.map((place) => {
    const words = [
      ...place.commands.map(({ words: name, about }) => described(lastWord(name), about)),
      ...place.choices.map((choice) => described(choice, '')),
    ]
    const flags = [
      ...place.options.map((option) => described(flagOf(option), option.description)),
      described('--help', ''),
    ]
    return `    "${place.words}") words_here=(${quoted(words)}); flags_here=(${quoted(flags)}) ;;`
  })
  return `#compdef sluice
# sluice completion zsh
_sluice() {
  local at="" word
  local -a words_here flags_here
  ${follow(places, '"${(@)words[2,CURRENT-1]}"')}
  case "$at \${words[CURRENT-1]}" in
${values.join('\n')}
    ${files.join('|')}) _files; return ;;
  esac
  case "$at" in
${commands.join('\n')}
  esac
  if [[ "$PREFIX" == -* ]]; then
    _describe option flags_here
  elif (( \${#words_here} )); then
    _describe command words_here
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _sluice ]]; then
  _sluice "$@"
else
  compdef _sluice sluice
fi
`
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap((place) => {
    const [first, second] = place.words.split(' ')
    const others = place.commands.map(({ words }) => lastWord(words)).join(' ')
    const seen = (name = ''): string => `__fish_seen_subcommand_from ${name}`
    const without = others === '' ? '' : `; and not ${seen(others)}`
    const place_ =
      place.words === ''
        ? '__fish_use_subcommand'
        : second === undefined
          ? `${seen(first)}${without}`
          : `${seen(first)}; and ${seen(second)}`
    const add = (text: string): string => `complete -c sluice -n ${single(place_)} ${text}`
    return [
      ...place.commands.map(({ words, about }) =>
        add(`-f -a ${single(lastWord(words))} -d ${single(firstSentence(about))}`),
      ),
      ...(place.choices.length === 0 ? [] : [add(`-f -a ${single(place.choices.join(' '))}`)]),
      ...place.options.map((option) => {
        const value = !takesValue(option)
          ? ''
          : option.argChoices
            ? ` -x -a ${single(option.argChoices.join(' '))}`
            : ' -r'
        return add(
          `-l ${flagOf(option).replace(/^--/, '')}${value} -d ${single(firstSentence(option.description))}`,
        )
      }),
    ]
  })
  return `# sluice completion fish\n${lines.join('\n')}\n`
}

const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const quoted = (words: readonly string[]): string => words.map(single).join(' ')
const firstSentence = (text: string): string => text.replaceAll(/\s+/g, ' ').replace(/(?<=[.;:])\s.*$/, '')
/** For _describe. */
const described = (word: string, about: string): string =>
  `${word.replaceAll(':', String.raw`\:`)}${about === '' ? '' : `:${firstSentence(about)}`}`
