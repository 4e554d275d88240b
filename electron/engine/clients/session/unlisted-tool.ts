import { SluiceError, unquotedMessage } from '../../ground/errors.ts'
import type { ApprovedOffer } from './approved-offer.ts'
import { codeOf } from './read-offer.ts'
import type { ServerRoster } from './server-roster.ts'
import type { SessionDependencies } from './session-dependencies.ts'

/** Server ids have no double underscore. */
export const ownerOf = (name: string, ids: readonly string[]): string | undefined =>
  ids.find((id) => name.startsWith(`${id.replaceAll('.', '_')}__`))

/** Or why not, without the server's unapproved words. Rejects with TOOL_UNKNOWN. */
export async function unlistedTool(
  name: string,
  {
    deps,
    roster,
    isSlow,
    offerOf,
  }: {
    readonly deps: SessionDependencies
    readonly roster: ServerRoster
    readonly isSlow: (serverId: string) => boolean
    readonly offerOf: (serverId: string) => Promise<ApprovedOffer>
  },
): Promise<{ serverId: string; tool: string } | string> {
  const serverId = ownerOf(name, Object.keys(deps.settings().servers))
  if (serverId === undefined) throw unknownTool(name, deps)
  const failure = roster.failures().find((each) => each.serverId === serverId)
  if (failure) return notCalled(serverId, failure.error)
  if (isSlow(serverId)) return notCalled(serverId, 'It has not said yet what it offers.')
  const tool = name.slice(name.indexOf('__') + 2)
  try {
    const offer = await offerOf(serverId)
    await offer.retryTools()
    // The call repeats the server's error.
    if (offer.lacksTools || (await offer.approvedTool(tool)) || offer.isHeldBack('tool', tool))
      return { serverId, tool }
  } catch (error) {
    const isOwn = error instanceof SluiceError
    return notCalled(
      serverId,
      isOwn ? unquotedMessage(error) : `It did not say what it offers (${codeOf(error)}).`,
    )
  }
  throw unknownTool(name, deps)
}

function notCalled(serverId: string, why: string): string {
  const named = why.startsWith(`Server "${serverId}"`) ? why : `Server "${serverId}" is not available: ${why}`
  return `${named.replace(/\.?\s*$/, '.')} Nothing was called; once that is fixed, call again.`
}

function unknownTool(name: string, deps: SessionDependencies): SluiceError {
  const end = name.indexOf('__')
  const why =
    end < 0
      ? '"tools/list" names every tool there is; those of servers are named {server}__{tool}.'
      : (deps.settingsFault(name.slice(0, end)) ?? '"tools/list" names every tool there is.')
  return new SluiceError('TOOL_UNKNOWN', `Unknown tool: ${name}. ${why}`)
}
