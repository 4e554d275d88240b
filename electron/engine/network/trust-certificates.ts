import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { SluiceError, messageOf } from '../ground/errors.ts'

let before: readonly string[] | undefined

/**
 * For new connections. An empty list restores the former ones. Throws SETTINGS_INVALID for an unreadable file or one
 * without certificate.
 */
export function trustCertificates(files: readonly string[]): void {
  if (files.length === 0 && before === undefined) return
  const added = files.map(readCertificates)
  before ??= getCACertificates('default')
  setDefaultCACertificates([...before, ...added])
}

function readCertificates(path: string): string {
  const invalid = (why: string): SluiceError =>
    new SluiceError(
      'SETTINGS_INVALID',
      `The certificates in ${path} are not trusted: ${why}. It must be a file with certificates in PEM form, which begin with "-----BEGIN CERTIFICATE-----".`,
    )
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw invalid(messageOf(error))
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw invalid('there is none in it')
  return text
}
