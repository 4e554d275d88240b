import type { Settings } from '../../../../shared/settings.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'
import type { Patience } from './patience.ts'
import { ApprovedOffer } from './approved-offer.ts'
import type { Approvals } from '../../approvals/approvals.ts'

export const BLOCKED_TOOL = 'sluice_blocked'

/** Only tool of a server that is blocked, or all of whose tools are. */
export const blockedTool = (reason: string): JsonObject => ({
  name: BLOCKED_TOOL,
  title: 'Why this server is blocked',
  description: reason,
  inputSchema: { type: 'object', properties: {} },
  annotations: { readOnlyHint: true, openWorldHint: false },
})

export const APPROVE_TOOL = 'approve_server_config'

/** Arguments only select the server; the user decides. */
export const approveTool = (names: 'one server' | 'several servers'): JsonObject => ({
  name: APPROVE_TOOL,
  title: 'Ask the user to approve a server',
  description:
    'Asks the user whether what a blocked or changed MCP server offers may be used. The user answers, not you: nothing in the arguments approves anything.',
  inputSchema: {
    type: 'object',
    properties:
      names === 'one server'
        ? {}
        : {
            server: {
              type: 'string',
              description: 'The name of the server. Not needed where only one waits for approval.',
            },
          },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
})

/** Listed while something waits. A server's own tool of that name has precedence. */
export async function offersApproveTool(
  { approvals }: Pick<Settings, 'approvals'>,
  offer: ApprovedOffer,
  isCalled = false,
): Promise<boolean> {
  if (!approvals.approveTool) return false
  if (!isCalled && offer.blocked === undefined && !offer.waits) return false
  return (await offer.approvedTool(APPROVE_TOOL)) === undefined
}

export interface ServerOffer {
  readonly serverId: string
  readonly offer: ApprovedOffer
}

export class SessionOffers {
  readonly #approvals: Approvals
  readonly #now: () => number
  readonly #offers = new WeakMap<UpstreamLink, Promise<ApprovedOffer>>()
  readonly #read = new WeakMap<UpstreamLink, ApprovedOffer>()

  constructor(approvals: Approvals, now: () => number) {
    this.#approvals = approvals
    this.#now = now
  }

  /** Rejects if tools can't be listed, because nothing can be checked. */
  of(link: UpstreamLink): Promise<ApprovedOffer> {
    const known = this.#offers.get(link)
    if (known) return known
    const reading = ApprovedOffer.read(link, this.#approvals, this.#now)
    this.#offers.set(link, reading)
    reading.then(
      (offer) => this.#read.set(link, offer),
      () => this.#offers.delete(link),
    )
    return reading
  }

  /** Undefined until the listing is read. */
  known(link: UpstreamLink | undefined): ApprovedOffer | undefined {
    return link && this.#read.get(link)
  }

  async inTime(links: readonly UpstreamLink[], patience: Patience<UpstreamLink>): Promise<ServerOffer[]> {
    const read = await patience.all(links, 'offer', (link) => this.of(link).catch(() => undefined))
    return links.flatMap(({ serverId }, index) => {
      const offer = read[index]
      return offer ? [{ serverId, offer }] : []
    })
  }

  /** For unrequested messages: only after the check and unless blocked. */
  isOpen(link: UpstreamLink | undefined): boolean {
    const offer = this.known(link)
    return offer !== undefined && offer.blocked === undefined
  }

  markStale(link: UpstreamLink | undefined): void {
    if (!link) return
    const read = this.known(link)
    if (read) read.markStale()
    // May still be the old lists.
    else
      this.#offers.get(link)?.then(
        (offer) => offer.markStale(),
        () => {},
      )
  }
}
