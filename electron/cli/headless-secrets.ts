import type { Secrets } from '../engine/ground/secrets/secrets.ts'

export function headlessSecrets(dataDir: string, warn: (message: string) => void): Secrets {
  let opening: Promise<Secrets> | undefined
  const open = (): Promise<Secrets> =>
    (opening ??= import('../engine/ground/secrets/open-secrets.ts').then(({ openSecrets }) =>
      openSecrets({ dataDir, warn }),
    ))
  return {
    get: async (name) => (await open()).get(name),
    set: async (name, value) => (await open()).set(name, value),
    delete: async (name) => (await open()).delete(name),
    list: async () => (await open()).list(),
  }
}
