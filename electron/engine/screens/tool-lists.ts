import type { ListForm, ServerToolList } from '../../../shared/api/tools.ts'
import type { Answers } from './http/answers.ts'
import { inTurns } from '../ground/steps.ts'
import { resolveServerPolicy } from '../settings/resolve-policy.ts'
import type { Definitions } from './definitions.ts'
import type { ScreensOptions } from './screens-options.ts'
import { serverOf } from './server-status.ts'

/** By cost per conversation, or more tools than a model handles well. */
const MANY_TOOLS = 40
const MANY_TOKENS = 10_000

const SETTINGS: Readonly<Record<ListForm, { readonly slim: boolean; readonly lazy: boolean }>> = {
  whole: { slim: false, lazy: false },
  slim: { slim: true, lazy: false },
  lazy: { slim: false, lazy: true },
}

export function createToolListAnswers(
  options: Pick<ScreensOptions, 'settings'>,
  definitions: Pick<Definitions, 'approvedTools' | 'contextTokens'>,
): Pick<Answers['tools'], 'lists' | 'setList'> {
  const { settings } = options

  const listOf = (server: string): ServerToolList | undefined => {
    const tools = definitions.approvedTools(server) ?? 0
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
    lists: async ({ server }) => {
      if (server !== undefined) serverOf(options, server)
      const ids = server === undefined ? Object.keys(settings.current.servers) : [server]
      const found = await inTurns(ids, listOf)
      return found.filter((list) => list !== undefined)
    },
    setList: ({ server, form }) => {
      const own = serverOf(options, server).toolList ?? {}
      const general = settings.current.toolList ?? {}
      const edits = (['slim', 'lazy'] as const).map((key) => ({
        path: ['servers', server, 'toolList', key],
        // Inherited values aren't written.
        value: SETTINGS[form][key] === (general[key] ?? false) ? undefined : SETTINGS[form][key],
        isThere: Object.hasOwn(own, key),
      }))
      // Removing a key from a missing entry would create it.
      settings.update(edits.filter(({ value, isThere }) => value !== undefined || isThere))
    },
  }
}
