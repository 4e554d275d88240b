import { writeGguf, type GgufTensor } from '../helpers/gguf-writer.ts'

const LAYERS = 28
const WIDTH = 1024
const FEED = 3072
const HEADS = 16
const KV_HEADS = 8
const HEAD = 128
const WORDS = 151_936
const IM_START = 151_644
const IM_END = 151_645

/** A model shaped like Qwen3 0.6B in Q8_0, about 640 MB, with random weights: meaningless output at real speed. */
export function writeQwenShapedGguf(path: string): void {
  const blocks = randomBlocks()
  const matrix = (name: string, dims: readonly number[]): GgufTensor => ({
    name,
    dims,
    type: 'Q8_0',
    chunks: function* () {
      let left = (dims.reduce((product, dim) => product * dim, 1) / 32) * 34
      for (; left > 0; left -= blocks.length) yield blocks.subarray(0, Math.min(left, blocks.length))
    },
  })
  const ones = (name: string, size: number): GgufTensor => ({
    name,
    dims: [size],
    type: 'F32',
    chunks: () => [Buffer.from(new Float32Array(size).fill(1).buffer)],
  })
  const layers = Array.from({ length: LAYERS }, (_, layer) => {
    const own = `blk.${layer}`
    return [
      ones(`${own}.attn_norm.weight`, WIDTH),
      matrix(`${own}.attn_q.weight`, [WIDTH, HEADS * HEAD]),
      matrix(`${own}.attn_k.weight`, [WIDTH, KV_HEADS * HEAD]),
      matrix(`${own}.attn_v.weight`, [WIDTH, KV_HEADS * HEAD]),
      ones(`${own}.attn_q_norm.weight`, HEAD),
      ones(`${own}.attn_k_norm.weight`, HEAD),
      matrix(`${own}.attn_output.weight`, [HEADS * HEAD, WIDTH]),
      ones(`${own}.ffn_norm.weight`, WIDTH),
      matrix(`${own}.ffn_gate.weight`, [WIDTH, FEED]),
      matrix(`${own}.ffn_up.weight`, [WIDTH, FEED]),
      matrix(`${own}.ffn_down.weight`, [FEED, WIDTH]),
    ]
  })
  const tokens = vocabulary()
  writeGguf(
    path,
    {
      'general.architecture': { type: 'string', value: 'qwen3' },
      'general.name': { type: 'string', value: 'Random weights of the shape of Qwen3 0.6B' },
      'qwen3.block_count': { type: 'u32', value: LAYERS },
      'qwen3.context_length': { type: 'u32', value: 40_960 },
      'qwen3.embedding_length': { type: 'u32', value: WIDTH },
      'qwen3.feed_forward_length': { type: 'u32', value: FEED },
      'qwen3.attention.head_count': { type: 'u32', value: HEADS },
      'qwen3.attention.head_count_kv': { type: 'u32', value: KV_HEADS },
      'qwen3.attention.key_length': { type: 'u32', value: HEAD },
      'qwen3.attention.value_length': { type: 'u32', value: HEAD },
      'qwen3.attention.layer_norm_rms_epsilon': { type: 'f32', value: 1e-6 },
      'qwen3.rope.freq_base': { type: 'f32', value: 1_000_000 },
      'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
      'tokenizer.ggml.pre': { type: 'string', value: 'qwen2' },
      'tokenizer.ggml.tokens': { type: 'strings', value: tokens },
      'tokenizer.ggml.token_type': {
        type: 'i32s',
        value: tokens.map((_, id) => (id === IM_START || id === IM_END ? 3 : 1)),
      },
      'tokenizer.ggml.merges': { type: 'strings', value: ['t h', 'th e'] },
      'tokenizer.ggml.eos_token_id': { type: 'u32', value: IM_END },
      'tokenizer.ggml.add_bos_token': { type: 'bool', value: false },
    },
    [matrix('token_embd.weight', [WIDTH, WORDS]), ...layers.flat(), ones('output_norm.weight', WIDTH)],
  )
}

/** One megabyte of Q8_0 blocks (a half-precision scale and 32 bytes each), repeated for every matrix. */
function randomBlocks(): Buffer {
  const count = 32_768
  const bytes = Buffer.alloc(count * 34)
  let state = 42
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = state >>> 16
  }
  // 0x0800 is 1.2e-4 in half precision, as small as real weights.
  for (let block = 0; block < count; block++) bytes.writeUInt16LE(0x0800, block * 34)
  return bytes
}

/** The letters for bytes in byte-level vocabularies, then unused names. */
function vocabulary(): string[] {
  const isPlain = (byte: number): boolean =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
  let next = 256
  const bytes = Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(isPlain(byte) ? byte : next++))
  const rest = Array.from({ length: WORDS - 258 }, (_, index) => `§${index}`)
  const all = [...bytes, 'th', 'the', ...rest]
  all[IM_START] = '<|im_start|>'
  all[IM_END] = '<|im_end|>'
  return all
}
