import type { ListForm, ServerToolList } from '../../../shared/api/tools.ts'
import type { Answers } from './http/answers.ts'
import { resolveServerPolicy } from '../settings/resolve-policy.ts'
import type { Definitions } from './definitions.ts'
import type { ScreensOptions } from './screens-options.ts'
import { serverOf } from './server-status.ts'

/** From here on a list is worth a question: it costs this in every conversation, or is more than a model can oversee. */
const MANY_TOOLS = 40
const MANY_TOKENS = 10_000

const SETTINGS: Readonly<Record<ListForm, { readonly slim: boolean; readonly lazy: boolean }>> = {
  whole: { slim: false, lazy: false },
  slim: { slim: true, lazy: false },
  lazy: { slim: false, lazy: true },
}

/** What the list of each server's tools costs in each form, and the switch between them. */
export function createToolListAnswers(
  options: Pick<ScreensOptions, 'settings'>,
  definitions: Pick<Definitions, 'toolsOf' | 'contextTokens'>,
): Pick<Answers['tools'], 'lists' | 'setList'> {
  const { settings } = options

  const listOf = (server: string): ServerToolList | undefined => {
    const tools = definitions.toolsOf(server)?.filter(({ approval }) => approval === 'approved').length ?? 0
    if (tools === 0) return undefined
    const tokensAs = (form: ListForm): number => definitions.contextTokens(server, SETTINGS[form]) ?? 0
    const tokens = { whole: tokensAs('whole'), slim: tokensAs('slim'), lazy: tokensAs('lazy') }
    const { slim, lazy } = resolveServerPolicy(settings.current, server).toolList
    return {
      server,
      tools,
      form: lazy ? 'lazy' : slim ? 'slim' : 'whole',
      tokens,
      isLong: tools > MANY_TOOLS || tokens.whole > MANY_TOKENS,
    }
  }

  return {
    lists: ({ server }) => {
      if (server !== undefined) serverOf(options, server)
      const ids = server === undefined ? Object.keys(settings.current.servers) : [server]
      return ids.flatMap((id) => listOf(id) ?? [])
    },
    setList: ({ server, form }) => {
      const own = serverOf(options, server).toolList ?? {}
      const general = settings.current.toolList ?? {}
      const edits = (['slim', 'lazy'] as const).map((key) => ({
        path: ['servers', server, 'toolList', key],
        // What holds anyway is not written down.
        value: SETTINGS[form][key] === (general[key] ?? false) ? undefined : SETTINGS[form][key],
        isThere: Object.hasOwn(own, key),
      }))
      // Taking a key out of an entry that isn't there would make the entry.
      settings.update(edits.filter(({ value, isThere }) => value !== undefined || isThere))
      return {}
    },
  }
}
