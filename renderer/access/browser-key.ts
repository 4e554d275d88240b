/** Pages of this origin can use the private half, none can read it. */
export interface BrowserKey {
  /** SPKI, base64url. */
  readonly publicKey: string
  id(): Promise<string>
  sign(text: string): Promise<string>
}

const DATABASE = 'sluice-access'
const STORE = 'keys'
const NAME = 'browser'
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** Undefined if missing, or if the browser stores nothing for pages. */
export async function loadKey(): Promise<BrowserKey | undefined> {
  const pair = await withStore('readonly', (store) => store.get(NAME)).catch(() => undefined)
  return isPair(pair) ? keyOf(pair) : undefined
}

/** Stored if possible; otherwise valid until the page is left. */
export async function makeKey(): Promise<BrowserKey> {
  const pair = await crypto.subtle.generateKey(CURVE, false, ['sign', 'verify'])
  // Two pages at once: "add" keeps the first.
  await withStore('readwrite', (store) => store.add(pair, NAME)).catch(() => undefined)
  return (await loadKey()) ?? keyOf(pair)
}

async function keyOf({ publicKey, privateKey }: CryptoKeyPair): Promise<BrowserKey> {
  const spki = await crypto.subtle.exportKey('spki', publicKey)
  return {
    publicKey: base64url(spki),
    id: async () => hex(await crypto.subtle.digest('SHA-256', spki)),
    sign: async (text) =>
      base64url(
        await crypto.subtle.sign(
          { name: 'ECDSA', hash: 'SHA-256' },
          privateKey,
          new TextEncoder().encode(text),
        ),
      ),
  }
}

const isPair = (value: unknown): value is CryptoKeyPair =>
  typeof value === 'object' && value !== null && 'privateKey' in value && 'publicKey' in value

function withStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const fail = (error: DOMException | null): void => reject(error ?? new Error('IndexedDB failed.'))
    const opening = indexedDB.open(DATABASE, 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
    opening.onerror = () => fail(opening.error)
    opening.onsuccess = () => {
      const database = opening.result
      const transaction = database.transaction(STORE, mode)
      const request = work(transaction.objectStore(STORE))
      const end = (done: () => void) => () => {
        database.close()
        done()
      }
      transaction.oncomplete = end(() => resolve(request.result))
      transaction.onerror = end(() => fail(transaction.error))
      transaction.onabort = end(() => fail(transaction.error))
    }
  })
}

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')

function base64url(bytes: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
