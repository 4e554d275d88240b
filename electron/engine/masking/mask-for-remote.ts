import { DEFAULT_PERSONAL_DATA_TYPES, type MaskingPolicy } from '../../../shared/masking-policy.ts'
import { maskTexts, restoreText, type FindInTexts } from './mask-texts.ts'
import { countFromOne, Vault } from './vault.ts'

export interface MaskedForRemote {
  readonly text: string
  /** The real values back into what came of it, such as the remote model's answer. */
  readonly restore: (answer: string) => string
}

/** A text as it may leave for a remote model. Throws when it can't be masked: then it must not leave. */
export async function maskForRemote(
  text: string,
  options: { find: FindInTexts } & Partial<Pick<MaskingPolicy, 'types' | 'customPatterns'>>,
): Promise<MaskedForRemote> {
  const { find, types = [...DEFAULT_PERSONAL_DATA_TYPES], customPatterns = {} } = options
  const vault = new Vault(countFromOne())
  const [masked] = await maskTexts(
    [{ text }],
    vault,
    { direction: 'from-server', types, customPatterns },
    find,
  )
  if (masked === undefined) throw new Error('The text could not be masked.')
  return { text: masked, restore: (answer) => restoreText(answer, vault) }
}
