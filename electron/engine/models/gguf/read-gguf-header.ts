import { open } from 'node:fs/promises'
import { SluiceError, messageOf } from '../../ground/errors.ts'
import { OTHER_ARCHITECTURES, WRITING_ARCHITECTURES } from './architectures.ts'
import { GgufReader, NUMBERS, damaged, type NumberType } from './gguf-reader.ts'
import { tensorBytes } from './tensor-sizes.ts'

/** Before llama.cpp loads the file. */
export interface GgufHeader {
  readonly architecture: string
  readonly name: string | undefined
  readonly fileBytes: number
  /** Of all tensors. */
  readonly tensorBytes: number
  /** Trained context. */
  readonly contextTokens: number
  readonly vocabulary: number
  /** With 16-bit values. */
  readonly bytesPerToken: number
  readonly hasChatTemplate: boolean
}

const MOST_KEYS = 4096
const MOST_TENSORS = 50_000
const MOST_ITEMS = 4_000_000
const LONGEST_KEY = 65_535
const LONGEST_TEXT = 4_000_000
const KEPT_ITEMS = 1024
const TYPES: readonly (NumberType | 'bool' | 'string' | 'array')[] = [
  ...(['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'f32'] as const),
  ...(['bool', 'string', 'array', 'u64', 'i64', 'f64'] as const),
]

type Value = number | string | boolean | { readonly length: number; readonly numbers: readonly number[] }

/** Untrusted: sizes are bounded and checked against the file size. Rejects with MODEL_FILE_INVALID, or BAD_INPUT if there is none. */
export async function readGgufHeader(path: string): Promise<GgufHeader> {
  try {
    const file = await open(path, 'r')
    try {
      const { size } = await file.stat()
      return await readHeader(new GgufReader(file, size), size)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw new SluiceError('BAD_INPUT', `There is no file ${path}. Look at its name and its folder.`, {
        cause: error,
      })
    }
    const why = error instanceof SluiceError ? error.message : `it can't be read (${messageOf(error)})`
    throw new SluiceError(
      'MODEL_FILE_INVALID',
      `${path} can't be used as a model: ${why}. Download it again, or take another GGUF file.`,
      { cause: error },
    )
  }
}

async function readHeader(reader: GgufReader, fileBytes: number): Promise<GgufHeader> {
  if (fileBytes < 24) throw damaged('it is too short for a GGUF file')
  const magic = await reader.u32()
  if (magic !== GGUF_MAGIC) throw damaged("it isn't a GGUF file")
  const version = await reader.u32()
  if (version !== 2 && version !== 3) {
    throw damaged(`it is GGUF version ${version}, and only versions 2 and 3 are understood`)
  }
  const tensors = await reader.u64()
  const keys = await reader.u64()
  if (tensors > MOST_TENSORS || keys > MOST_KEYS) throw damaged('its header names impossible numbers')
  const values = new Map<string, Value>()
  for (let index = 0; index < keys; index++) {
    values.set(await reader.text(LONGEST_KEY), await readValue(reader))
  }
  const weights = await readTensors(reader, { tensors, values, fileBytes })
  return describe(values, weights, fileBytes)
}

const GGUF_MAGIC = Buffer.from('GGUF').readUInt32LE()

async function readValue(reader: GgufReader): Promise<Value> {
  const type = typeOf(await reader.u32())
  if (type === 'string') return reader.text(LONGEST_TEXT)
  if (type === 'bool') return (await reader.number('u8')) !== 0
  if (type !== 'array') return reader.number(type)
  const itemType = typeOf(await reader.u32())
  const length = await reader.u64()
  if (itemType === 'array') throw damaged('it holds lists of lists, which no model needs')
  if (length > MOST_ITEMS) throw damaged(`it holds a list of ${length} items`)
  if (itemType === 'string') {
    for (let index = 0; index < length; index++) await reader.skipText()
    return { length, numbers: [] }
  }
  const numberType = itemType === 'bool' ? 'u8' : itemType
  if (length > KEPT_ITEMS) {
    reader.skip(length * NUMBERS[numberType].bytes)
    return { length, numbers: [] }
  }
  const numbers: number[] = []
  for (let index = 0; index < length; index++) numbers.push(await reader.number(numberType))
  return { length, numbers }
}

function typeOf(id: number): (typeof TYPES)[number] {
  const type = TYPES[id]
  if (type === undefined) throw damaged(`its header holds a value of an unknown kind (${id})`)
  return type
}

async function readTensors(
  reader: GgufReader,
  known: { tensors: number; values: ReadonlyMap<string, Value>; fileBytes: number },
): Promise<number> {
  let farthest = 0
  let total = 0
  for (let index = 0; index < known.tensors; index++) {
    await reader.skipText()
    const dimensions = await reader.u32()
    if (dimensions > 4) throw damaged('one of its tensors has more than four dimensions')
    let values = 1
    for (let dimension = 0; dimension < dimensions; dimension++) values *= await reader.u64()
    const type = await reader.u32()
    const offset = await reader.u64()
    // An unknown tensor type must still start within the file.
    const bytes = tensorBytes(type, values) ?? 0
    farthest = Math.max(farthest, offset + bytes)
    total += bytes
  }
  const alignment = known.values.get('general.alignment')
  const step = typeof alignment === 'number' && alignment > 0 ? alignment : 32
  const start = Math.ceil(reader.position / step) * step
  if (start + farthest > known.fileBytes) {
    throw damaged(
      `part of it is missing: it should have at least ${start + farthest} bytes and has ${known.fileBytes}`,
    )
  }
  return total
}

function describe(values: ReadonlyMap<string, Value>, weights: number, fileBytes: number): GgufHeader {
  const architecture = values.get('general.architecture')
  if (typeof architecture !== 'string') throw damaged('it does not say what kind of model it is')
  if (OTHER_ARCHITECTURES.has(architecture)) {
    throw damaged(`it is a model of the kind "${architecture}", which does not write text`)
  }
  if (!WRITING_ARCHITECTURES.has(architecture)) {
    throw damaged(
      `it is a model of the kind "${architecture.slice(0, 60)}", which this version of Sluice can't run`,
    )
  }
  const splits = values.get('split.count')
  if (typeof splits === 'number' && splits > 1) {
    throw damaged(`it is one of ${splits} parts of a model, and Sluice takes models in one file`)
  }
  const number = (key: string): number | undefined => {
    const value = values.get(`${architecture}.${key}`)
    return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : undefined
  }
  const vocabulary = values.get('tokenizer.ggml.tokens')
  const contextTokens = number('context_length')
  const layers = number('block_count')
  if (typeof vocabulary !== 'object' || vocabulary.length === 0) throw damaged('it has no vocabulary')
  if (contextTokens === undefined || layers === undefined) {
    throw damaged('it does not say how many layers it has and how much text it can take')
  }
  const name = values.get('general.name')
  return {
    architecture,
    name: typeof name === 'string' ? name.slice(0, 200) : undefined,
    fileBytes,
    tensorBytes: weights,
    contextTokens,
    vocabulary: vocabulary.length,
    bytesPerToken: bytesPerToken(values, architecture, layers, number),
    hasChatTemplate: typeof values.get('tokenizer.chat_template') === 'string',
  }
}

/** Keys and values of every attention layer; an upper bound for models that keep less. */
function bytesPerToken(
  values: ReadonlyMap<string, Value>,
  architecture: string,
  layers: number,
  number: (key: string) => number | undefined,
): number {
  const heads = number('attention.head_count') ?? 1
  const width = (number('embedding_length') ?? 0) / heads
  const perHead = (number('attention.key_length') ?? width) + (number('attention.value_length') ?? width)
  const byLayer = values.get(`${architecture}.attention.head_count_kv`)
  const headsOfAll =
    typeof byLayer === 'object'
      ? byLayer.numbers.reduce((sum, each) => sum + Math.max(0, each), 0)
      : layers * (number('attention.head_count_kv') ?? heads)
  return headsOfAll * perHead * 2
}
