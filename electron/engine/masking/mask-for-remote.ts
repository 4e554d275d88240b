import { DEFAULT_PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../../shared/masking-policy.ts'
import { maskTexts, restoreText, type FindInTexts } from './mask-texts.ts'
import { countFromOne, Vault } from './vault.ts'

export interface MaskedForRemote {
  readonly text: string
  readonly restore: (answer: string) => string
}

interface RemoteMaskingOptions extends Partial<Pick<MaskingPolicy, 'types' | 'customPatterns'>> {
  readonly find: FindInTexts
}

/** Throws if impossible: then the text must not leave. */
export async function maskForRemote(text: string, options: RemoteMaskingOptions): Promise<MaskedForRemote> {
  const { texts, restore } = await maskAllForRemote([text], options)
  const [masked] = texts
  if (masked === undefined) throw new Error('The text could not be masked.')
  return { text: masked, restore }
}

/** Related texts share placeholders. */
export async function maskAllForRemote(
  texts: readonly string[],
  { find, types = [...DEFAULT_PERSONAL_DATA_TYPES], customPatterns = {} }: RemoteMaskingOptions,
): Promise<{ readonly texts: readonly string[]; readonly restore: (answer: string) => string }> {
  const vault = new Vault(countFromOne())
  const policy: MaskingPolicy = { direction: 'from-server', types, customPatterns }
  const labelled = texts.map((text) => ({ text }))
  return {
    texts: await maskTexts(labelled, vault, policy, find),
    restore: (answer) => restoreText(answer, vault),
  }
}
