import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { strict } from './strict.ts'

/** Real encryption with a private key; Electron gets its key from the system. */
const key = createHash('sha256').update('the stand-in’s own key').digest()

export const safeStorage = strict('safeStorage', {
  isEncryptionAvailable: (): boolean => true,
  getSelectedStorageBackend: () => 'gnome_libsecret' as const,
  encryptString: (plainText: string): Buffer => {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    const body = Buffer.concat([cipher.update(plainText, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), body])
  },
  decryptString: (encrypted: Buffer): string => {
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12))
    decipher.setAuthTag(encrypted.subarray(12, 28))
    return Buffer.concat([decipher.update(encrypted.subarray(28)), decipher.final()]).toString('utf8')
  },
})
