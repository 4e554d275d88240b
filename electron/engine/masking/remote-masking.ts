import { DEFAULT_PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../../shared/masking-policy.ts'
import type { Settings } from '../../../shared/settings.ts'
import { maskAllForRemote, maskForRemote, type MaskedForRemote } from './mask-for-remote.ts'
import type { FindInTexts } from './mask-texts.ts'
import { loadSearch } from './search.ts'

/** For remote detectors and models. */
export type RemoteMasking = Partial<Pick<MaskingPolicy, 'types' | 'customPatterns'>>

export function remoteMasking({ masking, servers }: Pick<Settings, 'masking' | 'servers'>): RemoteMasking {
  const layers = Object.values(servers).flatMap((server) => [
    ...Object.values(server.tools ?? {}).map((tool) => tool.masking),
    server.masking,
  ])
  const asked = [...layers, masking]
  return {
    types: [...new Set([...DEFAULT_PERSONAL_DATA_TYPES, ...asked.flatMap((layer) => layer?.types ?? [])])],
    customPatterns: Object.assign({}, ...asked.map((layer) => layer?.customPatterns)) as NonNullable<
      RemoteMasking['customPatterns']
    >,
  }
}

/** Rejects if impossible: then the text must not leave. */
export const createMaskForRemote =
  (find: FindInTexts, settings: { readonly current: Pick<Settings, 'masking' | 'servers'> }) =>
  async (text: string): Promise<string> =>
    (await maskForRemote(text, { find, ...remoteMasking(settings.current) })).text

/** For related texts. */
export const createMaskAllForRemote =
  (find: FindInTexts, settings: { readonly current: Pick<Settings, 'masking' | 'servers'> }) =>
  (texts: readonly string[]): ReturnType<typeof maskAllForRemote> =>
    maskAllForRemote(texts, { find, ...remoteMasking(settings.current) })

/** One text, on this thread. Patterns load on first use. */
export const createMaskHere =
  (masking: () => RemoteMasking = () => ({})) =>
  async (text: string): Promise<MaskedForRemote> => {
    const { findInTexts } = await loadSearch()
    return maskForRemote(text, { ...masking(), find: (input) => Promise.resolve(findInTexts(input)) })
  }
