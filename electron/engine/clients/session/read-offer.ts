import { hasCapability, listAll } from './list-all.ts'
import type { Offer, PinnedKind } from '../../approvals/pinned-item.ts'
import { SluiceError } from '../../ground/errors.ts'
import { introductionOf } from '../../protocol/introduction.ts'
import { RpcError, RpcErrorCode } from '../../protocol/json-rpc.ts'
import type { UpstreamLink } from '../../protocol/link.ts'

/** The message may be the server's own, unscanned words. */
export const codeOf = (error: unknown): string =>
  error instanceof RpcError || error instanceof SluiceError ? `error ${error.code}` : 'an unexpected error'

/** Omits failed and endless lists. Rejects if the server is gone. */
export async function readOffer(link: UpstreamLink): Promise<Offer> {
  const unread = new Map<PinnedKind, unknown>()
  const list = async (kind: PinnedKind, capability: string, method: string, field: string) => {
    if (!hasCapability(link, capability)) return []
    try {
      return await listAll(link, method, field)
    } catch (error) {
      if (kind === 'tool' && !link.isOpen()) throw error
      // The server has none, whatever it announced.
      const hasNone = error instanceof RpcError && error.code === RpcErrorCode.methodNotFound
      if (!hasNone) unread.set(kind, error)
      return []
    }
  }
  const [tools, prompts, resources, templates] = await Promise.all([
    list('tool', 'tools', 'tools/list', 'tools'),
    list('prompt', 'prompts', 'prompts/list', 'prompts'),
    list('resource', 'resources', 'resources/list', 'resources'),
    list('template', 'resources', 'resources/templates/list', 'resourceTemplates'),
  ])
  return {
    announced: link.announced,
    folder: link.folder,
    introduction: introductionOf(link.hello),
    instructions: link.hello.instructions,
    tools,
    prompts,
    resources,
    templates,
    ...(unread.size > 0 ? { unread } : {}),
  }
}
