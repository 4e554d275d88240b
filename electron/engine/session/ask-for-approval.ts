import type { ApprovedOffer, Approvals } from './approved-offer.ts'
import type { SessionClient } from './session-client.ts'

/**
 * Puts the question of a blocked server to the person in front of the client, where the client can ask (elicitation).
 * Only an explicit yes of that person approves; whatever the model says or a client leaves out does not.
 */
export async function askForApproval(question: {
  approvals: Approvals
  serverId: string
  offer: ApprovedOffer
  client: SessionClient
  signal: AbortSignal
}): Promise<boolean> {
  const { approvals, serverId, offer, client, signal } = question
  if (client.hello.capabilities['elicitation'] === undefined || client.hello.era !== 'legacy') return false
  // What the person is shown and what is approved must be the same thing.
  const waiting = approvals.waiting(offer.identity)
  if (waiting.hashes.length === 0) return false
  const answer = await client
    .ask(
      'elicitation/create',
      {
        message: `Sluice: ${waiting.summary}\n\nApprove everything that the server "${serverId}" offers now?`,
        requestedSchema: {
          type: 'object',
          properties: {
            decision: { type: 'string', title: 'Decision', enum: ['approve', 'keep blocked'] },
          },
          required: ['decision'],
        },
      },
      signal,
    )
    .catch(() => ({}))
  const content = 'content' in answer ? answer['content'] : undefined
  const isYes =
    'action' in answer &&
    answer['action'] === 'accept' &&
    typeof content === 'object' &&
    content !== null &&
    'decision' in content &&
    content['decision'] === 'approve'
  if (isYes) approvals.approve(offer.identity, waiting.hashes, `the user of ${client.name}`)
  return isYes
}
