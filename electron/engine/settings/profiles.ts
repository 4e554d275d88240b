import type { Settings } from '../../../shared/settings.ts'
import { isWithin } from '../ground/files/is-within.ts'

/** A client of all servers. */
interface Asking {
  /** That it asks for: `--profile`, `/mcp/p/NAME`. */
  readonly profile?: string | undefined
  readonly client: string
  readonly folder?: string | undefined
}

type Profiles = Pick<Settings, 'profiles' | 'profile'>

/** Its own, else the one of its folder or its client, else the one in use. Undefined: all servers. */
function profileFor({ profiles, profile: inUse }: Profiles, asking: Asking): string | undefined {
  const { profile, client, folder } = asking
  if (profile !== undefined) return profile
  const names = Object.keys(profiles)
  const ofFolder = names.find((name) =>
    profiles[name]?.folders?.some((one) => folder !== undefined && isWithin(folder, one)),
  )
  return ofFolder ?? names.find((name) => profiles[name]?.clients?.includes(client)) ?? inUse
}

/** Servers outside of a client's profile are as good as not there. */
export function isInProfile(settings: Profiles, asking: Asking, serverId: string): boolean {
  const name = profileFor(settings, asking)
  return name === undefined || (settings.profiles[name]?.servers.includes(serverId) ?? false)
}

/** What a client is told that asks for a profile that there isn't. */
export const noProfile = ({ profiles }: Pick<Settings, 'profiles'>, name: string): string => {
  const names = Object.keys(profiles)
  const known = names.length === 0 ? 'There are none yet.' : `There are: ${names.join(', ')}.`
  return `There is no profile "${name}" in config.json. ${known} Add it under "profiles", or check the name.`
}
