import type { JsonObject } from '../protocol/json-rpc.ts'
import type { UnfitItem } from './compare-offer.ts'
import { markedForm } from '../protocol/definition-hash.ts'
import type { MarkWords } from './moving-words.ts'
import type { PendingChange, Pin } from './pin.ts'
import type { Unwritten } from './pin-writer.ts'
import { itemKey, nameOfItem, type PinnedKind } from './pinned-item.ts'

/** By the present pins. */
export interface Verdict {
  readonly identity: string
  /** Why nothing passes; undefined if launch, variables and instructions are approved. */
  readonly blocked: string | undefined
  readonly waits: boolean
  /** In words, for a server none of whose tools is approved as it is now. */
  readonly noTools: string
  /** Writing failed: check again soon. */
  readonly isProvisional: boolean
  /** Unwritten rest of the comparison: write it, then check again. */
  readonly unwritten: Unwritten | undefined
  allows(kind: PinnedKind, definition: JsonObject): boolean
  reason(kind: PinnedKind, name: string): string
  isHeldBack(kind: PinnedKind, name: string): boolean
}

const HOW = (serverId: string): string =>
  `The user can look at it and approve it with "sluice review ${serverId}" or in the Sluice window. You can't approve it yourself.`

export function verdictOf({
  identity,
  serverId,
  pins,
  pending,
  unfit,
  markWords,
}: {
  readonly identity: string
  readonly serverId: string
  readonly pins: readonly Pin[]
  readonly pending: readonly PendingChange[]
  readonly unfit: ReadonlyMap<string, UnfitItem>
  readonly markWords: MarkWords
}): Verdict {
  const hashes = new Map(pins.map((pin) => [itemKey(pin.kind, pin.name), pin.hash]))
  const changes = new Map(pending.map((item) => [itemKey(item.kind, item.name), item]))
  return {
    identity,
    isProvisional: false,
    unwritten: undefined,
    blocked: blockedReason(
      serverId,
      hashes.size > 0,
      changes.get(itemKey('server', '')),
      changes.get(itemKey('variables', serverId)),
      changes.get(itemKey('instructions', '')),
    ),
    waits: [...changes.values()].some(
      ({ change, deniedAt }) => change !== 'removed' && deniedAt === undefined,
    ),
    noTools: `All tools of the server "${serverId}" are blocked, because they are new, or have changed since the user approved them. ${HOW(serverId)}`,
    allows: (kind, definition) => {
      if (unfit.has(itemKey(kind, nameOfItem(kind, definition)))) return false
      return isListed(hashes, kind, definition, markWords)
    },
    isHeldBack: (kind, name) => {
      const key = itemKey(kind, name)
      const change = changes.get(key)?.change
      return unfit.has(key) || (change !== undefined && change !== 'removed')
    },
    reason: (kind, name) => {
      const key = itemKey(kind, name)
      const why = unfit.get(key)?.why
      if (why !== undefined)
        return `The ${kind} "${name}" of server "${serverId}" is blocked, and can't be approved: ${why}. The author of the server has to fix that.`
      return reasonFor(kind, name, serverId, changes.get(key))
    },
  }
}

/** For a server with unseen tools: records nothing, and passes its listing until it lists tools. */
export function trustedForNow(identity: string, fit: readonly Pin[], markWords: MarkWords): Verdict {
  const hashes = new Map(fit.map(({ kind, name, hash }) => [itemKey(kind, name), hash]))
  return {
    identity,
    isProvisional: false,
    unwritten: undefined,
    blocked: undefined,
    waits: false,
    noTools: '',
    allows: (kind, definition) => isListed(hashes, kind, definition, markWords),
    reason: (kind, name) => `Unknown ${kind}: ${name}. The server has not listed its tools yet.`,
    isHeldBack: () => false,
  }
}

function isListed(
  hashes: ReadonlyMap<string, string>,
  kind: PinnedKind,
  definition: JsonObject,
  markWords: MarkWords,
): boolean {
  try {
    return hashes.get(itemKey(kind, nameOfItem(kind, definition))) === markedForm(definition, markWords).hash
  } catch {
    return false
  }
}

function reasonFor(
  kind: PinnedKind,
  name: string,
  serverId: string,
  change: PendingChange | undefined,
): string {
  if (!change)
    return `Unknown ${kind}: ${name}. The approved list of server "${serverId}" does not contain it.`
  const what =
    change.deniedAt !== undefined
      ? 'was denied by the user'
      : change.change === 'new'
        ? 'is new and was not approved yet'
        : 'has changed since the user approved it'
  return `The ${kind} "${name}" of server "${serverId}" ${what}, so it is blocked. ${HOW(serverId)}`
}

function blockedReason(
  serverId: string,
  isKnown: boolean,
  server: PendingChange | undefined,
  variables: PendingChange | undefined,
  instructions: PendingChange | undefined,
): string | undefined {
  const denied = [server, variables, instructions].some((each) => each?.deniedAt !== undefined)
  if (denied) return `The user denied the server "${serverId}", so all of it is blocked. ${HOW(serverId)}`
  if (!isKnown)
    return `The server "${serverId}" is new and was not approved yet, so all of it is blocked. ${HOW(serverId)}`
  if ([server, variables, instructions].some((each) => each?.change === 'new'))
    return `The server "${serverId}" was not approved as a whole yet, so all of it is blocked. ${HOW(serverId)}`
  if (server)
    return `The server "${serverId}" is started in another way, or from another package, than the user approved, so all of it is blocked. ${HOW(serverId)}`
  if (variables)
    return `Values of variables or headers of the server "${serverId}" are others than the user approved, so all of it is blocked. ${HOW(serverId)}`
  if (instructions)
    return `The instructions of the server "${serverId}" have changed since the user approved them, so all of it is blocked. ${HOW(serverId)}`
  return undefined
}

export const everythingBlocked = (why: string): Verdict => ({
  identity: '',
  blocked: why,
  waits: false,
  noTools: why,
  isProvisional: false,
  unwritten: undefined,
  allows: () => false,
  reason: () => why,
  isHeldBack: () => true,
})

export const unfinished = (identity: string, serverId: string, unwritten: Unwritten): Verdict => ({
  ...everythingBlocked(
    `What the server "${serverId}" offers is still being written down. Try again in a moment.`,
  ),
  identity,
  isProvisional: true,
  unwritten,
})
