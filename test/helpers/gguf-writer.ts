import { closeSync, openSync, writeSync } from 'node:fs'

const ALIGNMENT = 32

/** GGUF metadata, as far as tests need it. */
export type GgufValue =
  | { readonly type: 'u32'; readonly value: number }
  | { readonly type: 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'i32s'; readonly value: readonly number[] }
  | { readonly type: 'f32s'; readonly value: readonly number[] }

export interface GgufTensor {
  readonly name: string
  readonly dims: readonly number[]
  readonly type: 'F32' | 'F16' | 'Q8_0'
  /** Tensor bytes, in order. */
  readonly chunks: () => Iterable<Buffer>
}

const TYPES = {
  F32: { id: 0, block: 1, bytes: 4 },
  F16: { id: 1, block: 1, bytes: 2 },
  Q8_0: { id: 8, block: 32, bytes: 34 },
} as const

export const bytesOf = ({ dims, type }: Pick<GgufTensor, 'dims' | 'type'>): number =>
  (dims.reduce((product, dim) => product * dim, 1) / TYPES[type].block) * TYPES[type].bytes

/** GGUF version 3, tensor by tensor. In bytes. */
export function writeGguf(
  path: string,
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly GgufTensor[],
): void {
  const file = openSync(path, 'w')
  try {
    let written = 0
    const write = (bytes: Buffer): void => {
      writeSync(file, bytes)
      written += bytes.length
    }
    write(ggufHeader(metadata, tensors))
    for (const tensor of tensors) {
      write(Buffer.alloc(padding(written)))
      for (const chunk of tensor.chunks()) write(chunk)
    }
    write(Buffer.alloc(padding(written)))
  } finally {
    closeSync(file)
  }
}

/** All before the first tensor's bytes. */
export function ggufHeader(
  metadata: Readonly<Record<string, GgufValue>>,
  tensors: readonly Omit<GgufTensor, 'chunks'>[],
): Buffer {
  const parts: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length)]
  parts.push(u64(Object.keys(metadata).length))
  for (const [key, value] of Object.entries(metadata)) parts.push(text(key), Buffer.concat(encode(value)))
  let offset = 0
  for (const tensor of tensors) {
    parts.push(text(tensor.name), u32(tensor.dims.length), ...tensor.dims.map(u64))
    parts.push(u32(TYPES[tensor.type].id), u64(offset))
    offset += bytesOf(tensor)
    offset += padding(offset)
  }
  return Buffer.concat(parts)
}

function encode(value: GgufValue): Buffer[] {
  if (value.type === 'u32') return [u32(4), u32(value.value)]
  if (value.type === 'f32') return [u32(6), f32(value.value)]
  if (value.type === 'bool') return [u32(7), Buffer.from([value.value ? 1 : 0])]
  if (value.type === 'string') return [u32(8), text(value.value)]
  const head = (id: number): Buffer[] => [u32(9), u32(id), u64(value.value.length)]
  if (value.type === 'strings') return [...head(8), ...value.value.map(text)]
  if (value.type === 'i32s') return [...head(5), Buffer.from(Int32Array.from(value.value).buffer)]
  return [...head(6), Buffer.from(Float32Array.from(value.value).buffer)]
}

const padding = (size: number): number => (ALIGNMENT - (size % ALIGNMENT)) % ALIGNMENT

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}

function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeFloatLE(value)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([u64(bytes.length), bytes])
}
