import { writeGguf, type GgufTensor, type GgufValue } from './gguf-writer.ts'

export interface TinyGgufOptions {
  /** Words of the answer, in order, each at most once. Default: "alpha beta gamma delta". */
  readonly answer?: readonly string[]
  /** Starts again after the last word. Default: false. */
  readonly endless?: boolean
  /** Of random weights: more take longer. Default: 2. */
  readonly layers?: number
  /** Default: 64. */
  readonly width?: number
  /** Claimed, in tokens. Default: 2048. */
  readonly context?: number
  /** Claimed. Default: llama, which it is. */
  readonly architecture?: string
  /** Merged into its metadata; undefined removes a key. */
  readonly metadata?: Readonly<Record<string, GgufValue | undefined>>
}

const BYTES = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
)
const UNKNOWN = 0
const FIRST_BYTE = 3
const START = FIRST_BYTE + 256
const END = START + 1
const SPACE = END + 1
const FIRST_WORD = SPACE + 1
const NEWLINE = FIRST_BYTE + 10

const TEMPLATE =
  "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

/**
 * Valid, llama architecture, ChatML style. Layers are random; the last matrix makes it say the words of `answer` in
 * order for any prompt, so that tests know the right answer. Every prompt byte is one token.
 */
export function writeTinyGguf(path: string, options: TinyGgufOptions = {}): void {
  const { answer = ['alpha', 'beta', 'gamma', 'delta'], endless = false, layers = 2 } = options
  const { width = 64, context = 2048, architecture = 'llama' } = options
  const random = gaussian(20_260_101)
  const words = answer.map((word) => `\u2581${word}`)
  const tokens = ['<unk>', '<s>', '</s>', ...BYTES, '<|im_start|>', '<|im_end|>', '\u2581', ...words]

  const embeddings = tokens.map(() => Float32Array.from({ length: width }, random))
  const chain = [NEWLINE, ...words.map((_, index) => FIRST_WORD + index), endless ? FIRST_WORD : END]
  const before = new Map(chain.slice(1).map((token, index) => [token, chain[index] ?? UNKNOWN]))
  if (endless) before.set(FIRST_WORD, NEWLINE)
  const last = FIRST_WORD + words.length - 1
  const output = tokens.map((_, token) => {
    const from = embeddings[before.get(token) ?? -1]
    const row = from ? from.map((value) => value * 4) : new Float32Array(width).fill(0)
    // Two tokens precede the first word: the answer's start, and, if endless, the last word.
    const also = endless && token === FIRST_WORD ? embeddings[last] : undefined
    return also ? row.map((value, at) => value + (also[at] ?? 0) * 4) : row
  })

  const matrix = (name: string, dims: readonly number[], scale: number): GgufTensor => ({
    name,
    dims,
    type: 'F32',
    chunks: () => {
      const values = Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => random() * scale)
      return [Buffer.from(values.buffer)]
    },
  })
  const ones = (name: string): GgufTensor => ({
    name,
    dims: [width],
    type: 'F32',
    chunks: () => [Buffer.from(new Float32Array(width).fill(1).buffer)],
  })
  const rows = (name: string, values: readonly Float32Array[]): GgufTensor => ({
    name,
    dims: [width, tokens.length],
    type: 'F32',
    chunks: () => values.map((row) => Buffer.from(row.buffer)),
  })
  const small = 0.02 / Math.sqrt(width)
  const blocks = Array.from({ length: layers }, (_, layer) => [
    ones(`blk.${layer}.attn_norm.weight`),
    matrix(`blk.${layer}.attn_q.weight`, [width, width], small),
    matrix(`blk.${layer}.attn_k.weight`, [width, width / 2], small),
    matrix(`blk.${layer}.attn_v.weight`, [width, width / 2], small),
    matrix(`blk.${layer}.attn_output.weight`, [width, width], small),
    ones(`blk.${layer}.ffn_norm.weight`),
    matrix(`blk.${layer}.ffn_gate.weight`, [width, width * 2], small),
    matrix(`blk.${layer}.ffn_up.weight`, [width, width * 2], small),
    matrix(`blk.${layer}.ffn_down.weight`, [width * 2, width], small),
  ])

  const metadata: Record<string, GgufValue | undefined> = {
    'general.architecture': { type: 'string', value: architecture },
    'general.name': { type: 'string', value: 'Sluice test model' },
    [`${architecture}.context_length`]: { type: 'u32', value: context },
    [`${architecture}.embedding_length`]: { type: 'u32', value: width },
    [`${architecture}.block_count`]: { type: 'u32', value: layers },
    [`${architecture}.feed_forward_length`]: { type: 'u32', value: width * 2 },
    [`${architecture}.attention.head_count`]: { type: 'u32', value: 4 },
    [`${architecture}.attention.head_count_kv`]: { type: 'u32', value: 2 },
    [`${architecture}.attention.layer_norm_rms_epsilon`]: { type: 'f32', value: 1e-5 },
    [`${architecture}.rope.dimension_count`]: { type: 'u32', value: width / 4 },
    [`${architecture}.vocab_size`]: { type: 'u32', value: tokens.length },
    'tokenizer.ggml.model': { type: 'string', value: 'llama' },
    'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
    'tokenizer.ggml.scores': { type: 'f32s', value: tokens.map((_, id) => (id < FIRST_WORD ? 0 : -id)) },
    'tokenizer.ggml.token_type': { type: 'i32s', value: tokens.map((_, id) => tokenType(id)) },
    'tokenizer.ggml.bos_token_id': { type: 'u32', value: 1 },
    'tokenizer.ggml.eos_token_id': { type: 'u32', value: END },
    'tokenizer.ggml.unknown_token_id': { type: 'u32', value: UNKNOWN },
    'tokenizer.ggml.add_bos_token': { type: 'bool', value: false },
    'tokenizer.ggml.add_space_prefix': { type: 'bool', value: false },
    'tokenizer.chat_template': { type: 'string', value: TEMPLATE },
    ...options.metadata,
  }
  const present = Object.entries(metadata).filter(
    (entry): entry is [string, GgufValue] => entry[1] !== undefined,
  )
  writeGguf(path, Object.fromEntries(present), [
    rows('token_embd.weight', embeddings),
    ...blocks.flat(),
    ones('output_norm.weight'),
    rows('output.weight', output),
  ])
}

/** llama.cpp's kinds: 1 normal, 2 unknown, 3 control, 6 byte. */
function tokenType(id: number): number {
  if (id === UNKNOWN) return 2
  if (id < FIRST_BYTE || id === START || id === END) return 3
  return id < START ? 6 : 1
}

/** Normally distributed, from a seed: the same file every time. */
function gaussian(seed: number): () => number {
  let state = seed >>> 0
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + 1) / 4_294_967_297
  }
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}
