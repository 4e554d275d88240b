declare module '../ground/events.ts' {
  interface EngineEvents {
    'settings-problems': { problems: readonly SettingsProblem[] }
  }
}

/** With position. */
export interface SettingsProblem {
  /** 1-based. */
  readonly line: number
  readonly column: number
  /** `servers.github.args[2]`; empty for the whole file. */
  readonly path: string
  readonly message: string
  readonly serverId: string | undefined
}

export type SettingsPath = readonly (string | number)[]

/** `config.json:12:5 servers.github: Unknown key "comand". Did you mean "command"?` */
export const formatProblem = (problem: SettingsProblem, file: string): string =>
  `${file}:${problem.line}:${problem.column} ${problem.path === '' ? '' : `${problem.path}: `}${problem.message}`

export const formatPath = (path: SettingsPath): string =>
  path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const name = /^[\w$-]+$/.test(part) ? part : JSON.stringify(part)
      return index === 0 ? name : `.${name}`
    })
    .join('')
