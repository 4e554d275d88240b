import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { SluiceError } from '../ground/errors.ts'
import { whyUnusable } from './why-unusable.ts'
import type { ClientFiles, FileFacts } from './client-files.ts'
import type { ConfigFormat, ParsedConfig } from './formats/config-format.ts'
import { ConfigSyntaxError } from './formats/config-format.ts'
import { jsonFormat } from './formats/json-format.ts'
import { placeOf } from './formats/lines.ts'
import { tomlFormat } from './formats/toml-format.ts'
import { yamlFormat } from './formats/yaml-format.ts'

/** Larger files aren't configurations, and reading them would block the process. */
const LARGEST_BYTES = 64_000_000
const MARK = '\uFEFF'

export interface LoadedFile {
  readonly path: string
  /** Behind links; this is written. */
  readonly target: string
  readonly facts: FileFacts
  readonly bytes: Uint8Array
  /** SHA-256 of the bytes. */
  readonly hash: string
  /** Without the byte-order mark. */
  readonly text: string
  readonly format: ConfigFormat
  readonly parsed: ParsedConfig
}

/** Throws a SluiceError about the file: missing, not text, or unparsable (with position). */
export function loadClientFile(path: string, files: ClientFiles): LoadedFile {
  const facts = read(path, () => files.facts(path))
  if (!facts) {
    throw new SluiceError('CLIENT_FILE_MISSING', `${path} is not there, so nothing was changed.`)
  }
  if (facts.kind !== 'file') {
    throw new SluiceError('CLIENT_FILE_INVALID', `${path} isn't a file, so nothing was changed.`)
  }
  if (facts.size > LARGEST_BYTES) {
    throw new SluiceError(
      'CLIENT_FILE_INVALID',
      `${path} has ${facts.size} bytes: too large to be a configuration.`,
    )
  }
  const target = read(path, () => files.realPath(path))
  const bytes = read(path, () => files.read(path))
  const text = decodeFile(path, bytes)
  const format = formatOf(path)
  return {
    path,
    target,
    facts,
    bytes,
    hash: hashOf(bytes),
    text,
    format,
    parsed: parseText(text, format, path),
  }
}

function read<Value>(path: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_UNREADABLE',
      `${path} can't be read (${whyUnusable(error)}). If an app has it open, close the app and try again.`,
      { cause: error },
    )
  }
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export function formatOf(path: string): ConfigFormat {
  if (/\.toml$/i.test(path)) return tomlFormat
  return /\.ya?ml$/i.test(path) ? yamlFormat : jsonFormat
}

export function decodeFile(path: string, bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith(MARK) ? text.slice(1) : text
  } catch (error) {
    throw new SluiceError(
      'CLIENT_FILE_INVALID',
      `${path} is not written in UTF-8, so nothing was changed. Save it as UTF-8 first.`,
      { cause: error },
    )
  }
}

/** Keeps a byte-order mark. */
export function encodeLike({ bytes }: Pick<LoadedFile, 'bytes'>, text: string): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return new TextEncoder().encode(hasMark ? MARK + text : text)
}

/** Errors have line and column but don't quote the text. */
export function parseText(text: string, format: ConfigFormat, path: string): ParsedConfig {
  try {
    return format.parse(text)
  } catch (error) {
    if (error instanceof ConfigSyntaxError) {
      const { line, column } = placeOf(text, error.offset)
      throw new SluiceError(
        'CLIENT_FILE_INVALID',
        `${path}:${line}:${column} is not valid ${format.name}: ${error.message}. Nothing was changed; fix the file first.`,
        { data: { path, line, column }, cause: error },
      )
    }
    if (error instanceof RangeError) {
      throw new SluiceError('CLIENT_FILE_INVALID', `${basename(path)} is nested too deeply to be read.`, {
        cause: error,
      })
    }
    throw error
  }
}
