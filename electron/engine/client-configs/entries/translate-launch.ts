import type { PlaceholderRule } from './placeholders.ts'
import { translatePlaceholders } from './placeholders.ts'
import type { Launch } from './read-entry.ts'

export type LaunchField = 'command' | 'arg' | 'env' | 'cwd' | 'url' | 'header'

/**
 * To Sluice's spelling. `otherwise` replaces values that only the app has; undefined omits the variable or header.
 * `name`: variable, header, or argument number.
 */
export function translateLaunch(
  { type, command, args, env, cwd, url, headers }: Launch,
  allRules: readonly PlaceholderRule[],
  otherwise: (text: string, field: LaunchField, name: string) => string | undefined,
): Launch {
  const rules = allRules.filter(({ remoteOnly }) => url !== undefined || remoteOnly !== true)
  const translate = (text: string, field: LaunchField, name = ''): string | undefined =>
    translatePlaceholders(text, rules) ?? otherwise(text, field, name)
  const one = (text: string, field: LaunchField, name?: string): string =>
    translate(text, field, name) ?? text
  const map = (texts: Readonly<Record<string, string>>, field: LaunchField): Record<string, string> =>
    Object.fromEntries(
      Object.entries(texts).flatMap(([name, text]) => {
        const translated = translate(text, field, name)
        return translated === undefined ? [] : [[name, translated]]
      }),
    )
  const variables = map(env ?? {}, 'env')
  return {
    ...(type === undefined ? {} : { type }),
    ...(command === undefined ? {} : { command: one(command, 'command') }),
    ...(args === undefined ? {} : { args: args.map((text, index) => one(text, 'arg', String(index))) }),
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
    ...(cwd === undefined ? {} : { cwd: one(cwd, 'cwd') }),
    ...(url === undefined ? {} : { url: one(url, 'url') }),
    ...(headers === undefined ? {} : { headers: map(headers, 'header') }),
  }
}
