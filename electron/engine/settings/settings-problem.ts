/** One thing that is wrong with config.json, or worth knowing about it, and where. */
export interface SettingsProblem {
  /** Both count from 1, as editors do. */
  readonly line: number
  readonly column: number
  /** `servers.github.args[2]`; empty for the file as a whole. */
  readonly path: string
  /** What is wrong and what to write instead, in plain words. */
  readonly message: string
  /** The one server that it concerns; undefined when it concerns the whole file. */
  readonly serverId: string | undefined
}

export type SettingsPath = readonly (string | number)[]

/** `config.json:12:5 servers.github: Unknown key "comand". Did you mean "command"?` */
export const formatProblem = (problem: SettingsProblem, file: string): string =>
  `${file}:${problem.line}:${problem.column} ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`

/** `servers.github.args[2]`; keys with dots or spaces in quotes. */
export const formatPath = (path: SettingsPath): string =>
  path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const name = /^[\w$-]+$/.test(part) ? part : JSON.stringify(part)
      return index === 0 ? name : `.${name}`
    })
    .join('')
