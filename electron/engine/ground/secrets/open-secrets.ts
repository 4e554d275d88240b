import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf, SluiceError } from '../errors.ts'
import { explainFileFailure } from '../files/explain-file-failure.ts'
import { whileLocked } from '../files/lock.ts'
import { makeFolder } from '../files/make-folder.ts'
import { SECRET_NAME, type SecretEntry, type Secrets } from './secrets.ts'
import { writeFileAtomically } from '../files/write-file-atomically.ts'
import { fileVault } from './file-vault.ts'
import { createKeyringVault } from './keyring-vault.ts'
import type { SecretVault } from './secret-vault.ts'

const SECRETS_FILE = 'secrets.json'

const Stored = z.strictObject({
  version: z.literal(1),
  secrets: z.record(
    z.string().regex(SECRET_NAME),
    z.strictObject({ in: z.enum(['safe-storage', 'keyring', 'file']), value: z.string().optional() }),
  ),
})
type Stored = z.infer<typeof Stored>

export interface OpenSecretsOptions {
  readonly dataDir: string
  /** Desktop app; takes precedence. */
  readonly safeStorage?: SecretVault
  /** Default: keyring, then file. */
  readonly vaults?: readonly SecretVault[]
  readonly warn: (message: string) => void
}

/**
 * Records each secret's place for the desktop app, `sluice serve` and connectors; read each time, because they run in
 * parallel.
 */
export function openSecrets(options: OpenSecretsOptions): Secrets {
  const { dataDir, safeStorage, warn } = options
  const path = join(dataDir, SECRETS_FILE)
  const vaults = [
    ...(safeStorage ? [safeStorage] : []),
    ...(options.vaults ?? [createKeyringVault(dataDir), fileVault]),
  ]
  const write = (stored: Stored): void => {
    try {
      writeFileAtomically(path, `${JSON.stringify(stored, null, 2)}\n`, 0o600)
    } catch (error) {
      throw explainFileFailure(error, `${path} can't be written, so nothing was kept`)
    }
  }
  /** Other processes keep secrets, too: none must take another's entry away. */
  const change = (edit: (secrets: Stored['secrets']) => Stored['secrets']): void => {
    makeFolder(dataDir)
    whileLocked(path, () => {
      const stored = read(path)
      write({ ...stored, secrets: edit(stored.secrets) })
    })
  }
  const vaultOf = (name: string, { in: place }: Stored['secrets'][string]): SecretVault => {
    const vault = vaults.find((candidate) => candidate.place === place)
    if (vault) return vault
    throw new SluiceError(
      'STORE_FAILED',
      `The secret "${name}" is kept by the desktop app and can't be read without it. Start Sluice's app, or store it again with "sluice secrets set ${name}".`,
      { data: { name, place } },
    )
  }
  const firstUsable = async (): Promise<SecretVault> => {
    for (const vault of vaults) if (await vault.isUsable()) return vault
    return fileVault
  }

  return {
    get: async (name) => {
      const entry = ownEntry(read(path), name)
      if (!entry) return undefined
      const vault = vaultOf(name, entry)
      const value = await explained(`The secret "${name}" can't be read`, () => vault.get(name, entry.value))
      if (value !== undefined) return value
      throw new SluiceError(
        'STORE_FAILED',
        `The secret "${name}" is not where it was kept (${vault.place}) any more. Store it again: "sluice secrets set ${name}".`,
        { data: { name } },
      )
    },
    set: async (name, value) => {
      if (!SECRET_NAME.test(name))
        throw new SluiceError(
          'BAD_INPUT',
          `"${name}" can't be the name of a secret. Use letters, digits, "_", "-" and ".", at most 100 of them.`,
        )
      const vault = await firstUsable()
      // A damaged file must not be overwritten.
      const before = ownEntry(read(path), name)
      const kept = await explained(`The secret "${name}" can't be kept`, () => vault.put(name, value))
      const entry = { in: vault.place, ...(kept === undefined ? {} : { value: kept }) }
      change((secrets) => ({ ...secrets, [name]: entry }))
      if (before && before.in !== vault.place) await forget(name, before, vaults)
      if (vault.place === 'file')
        warn(
          `There is no keyring here, so "${name}" is readable in ${path}, for you alone. Every program that you run can read it.`,
        )
      return vault.place
    },
    delete: async (name) => {
      const entry = ownEntry(read(path), name)
      if (!entry) return
      change(({ [name]: _gone, ...secrets }) => secrets)
      await forget(name, entry, vaults)
    },
    list: () =>
      Promise.resolve(
        Object.entries(read(path).secrets)
          .map(([name, { in: place }]): SecretEntry => ({ name, place }))
          .sort((a, b) => a.name.localeCompare(b.name)),
      ),
  }
}

async function forget(
  name: string,
  { in: place }: Stored['secrets'][string],
  vaults: readonly SecretVault[],
): Promise<void> {
  await vaults
    .find((vault) => vault.place === place)
    ?.remove(name)
    .catch(() => {})
}

const ownEntry = ({ secrets }: Stored, name: string): Stored['secrets'][string] | undefined =>
  Object.hasOwn(secrets, name) ? secrets[name] : undefined

/** Never overwrite a damaged file: it may be the only copy. */
function read(path: string): Stored {
  try {
    return Stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { version: 1, secrets: {} }
    throw new SluiceError(
      'STORE_FAILED',
      `${path} can't be read as the list of your secrets, so it was left as it is. Fix it, or move it away and store the secrets again.`,
      { cause: error },
    )
  }
}

async function explained<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw new SluiceError('STORE_FAILED', `${what}: ${messageOf(error)}`, { cause: error })
  }
}
