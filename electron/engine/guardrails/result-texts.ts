import { isJsonObject, type JsonObject } from '../protocol/json-rpc.ts'
import { atOnce, each, inSteps, type Steps } from '../ground/steps.ts'
import { readJoinedLists } from './joined-texts.ts'
import { readPayload } from './read-payload.ts'
import { readTexts, type PlacedText } from './texts-in.ts'

/**
 * What a model may read: text blocks, structured content, embedded resources, errors and `_meta`, keys that read like
 * prose, joined lists of words or lines, addresses as words, and base64 with text. Not pictures and sound.
 */
const resultTexts = (result: JsonObject): PlacedText[] => readResult(result).texts

export interface ReadResult {
  readonly texts: PlacedText[]
  readonly unreadable: readonly string[]
}

export const readResult = (result: JsonObject): ReadResult => atOnce(readSteps(result))

/** Yields to other work. */
export function readResultInTurns(result: JsonObject): ReadResult | Promise<ReadResult> {
  return readPlainText(result) ?? inSteps(readSteps(result))
}

/** Of one text block alone, as most results are: walking through any value takes longer than this one. */
export function readPlainText(result: JsonObject): ReadResult | undefined {
  for (const key in result) if (key !== 'content' && key !== 'isError') return undefined
  const { content, isError = false } = result
  if (typeof isError !== 'boolean' || !Array.isArray(content) || content.length !== 1) return undefined
  const block: unknown = content[0]
  if (!isJsonObject(block)) return undefined
  const texts: PlacedText[] = []
  for (const key in block) {
    const text = block[key]
    if ((key !== 'type' && key !== 'text') || typeof text !== 'string') return undefined
    texts.push({ path: `/content/0/${key}`, text })
  }
  return { texts, unreadable: [] }
}

function* readSteps(result: JsonObject): Steps<ReadResult> {
  const shown = { ...result }
  const unreadable: string[] = []
  for (const list of BLOCK_LISTS) {
    const blocks = shown[list]
    if (!Array.isArray(blocks)) continue
    shown[list] = yield* each(blocks, (block) => withReadablePayload(block, unreadable))
  }
  const { content, contents, messages: _messages, ...rest } = shown
  const texts: PlacedText[] = []
  yield* readTexts(shown, texts)
  yield* readAcrossBlocks(content, texts)
  yield* readLinksAsWords(content, texts)
  yield* readLinksAsWords(contents, texts)
  yield* readJoinedLists(rest, texts)
  return { texts, unreadable }
}

const BLOCK_LISTS = ['content', 'contents', 'messages']
const JOINED = '/content (joined)'

/** For people: blocks joined only if nothing else shows why the result was quarantined. */
export function textsToShow(
  result: JsonObject,
  findings: readonly { readonly path?: string; readonly score: number }[],
): PlacedText[] {
  const isShown = findings.some(({ path, score }) => path !== JOINED && score >= SHOWS_WHY)
  return resultTexts(result).filter(({ path }) =>
    path.startsWith('/') ? path !== JOINED || !isShown : !isShown,
  )
}

const SHOWS_WHY = 0.5
/** Within this distance of a block's end the next block may complete a phrase. */
const REACH = 300

/** As clients join blocks: an attack may be split over harmless ones. At most twice the text. */
function* readAcrossBlocks(content: unknown, texts: PlacedText[]): Steps<void> {
  if (!Array.isArray(content) || content.length < 2) return
  const blocks: string[] = []
  yield* each(content, (block) => {
    if (isJsonObject(block) && block['type'] === 'text' && typeof block['text'] === 'string')
      blocks.push(block['text'])
  })
  if (blocks.length < 2) return
  const last = blocks.length - 1
  const pieces = yield* each(blocks, (_, index) => {
    const text = blocks[index] ?? ''
    const [isFirst, isLast] = [index === 0, index === last]
    if (text.length <= 2 * REACH && !isFirst && !isLast) return text
    const [head, tail] = [isFirst ? '' : text.slice(0, REACH), isLast ? '' : text.slice(-REACH)]
    return isFirst || isLast ? head + tail : `${head}\n\n…\n\n${tail}`
  })
  texts.push({ path: JOINED, text: pieces.join('\n') })
  const cut = pieces.filter(
    (piece, index) => /\p{L}$/u.test(piece) && /^\p{L}/u.test(pieces[index + 1] ?? ''),
  )
  // Words that go on in the next block.
  if (cut.length * 3 >= pieces.length) texts.push({ path: JOINED, text: pieces.join('') })
}

/** A prompt's message holds a block, which may hold a resource. */
const DEEPEST = 3

/** A block or a prompt's message; base64 is decoded where it is text, removed elsewhere. */
function withReadablePayload(block: unknown, unreadable: string[], depth = 1): unknown {
  if (!isJsonObject(block) || depth > DEEPEST) return block
  if (!('data' in block || 'blob' in block || 'resource' in block || 'content' in block)) return block
  const { data, blob, ...readable } = block
  const { mimeType, uri, name } = block
  for (const [key, payload] of Object.entries({ data, blob })) {
    const read =
      typeof payload === 'string' ? readPayload(payload, { mimeType, names: [uri, name] }) : { text: payload }
    if (read && 'text' in read && read.text !== undefined) readable[key] = read.text
    if (read && 'isUnreadable' in read)
      unreadable.push([uri, name, mimeType].find((word) => typeof word === 'string') ?? key)
  }
  for (const inner of ['resource', 'content']) {
    if (inner in readable) readable[inner] = withReadablePayload(readable[inner], unreadable, depth + 1)
  }
  return readable
}

function* readLinksAsWords(list: unknown, texts: PlacedText[]): Steps<void> {
  if (!Array.isArray(list)) return
  yield* each(list, (block, index) => {
    const link = isJsonObject(block) && isJsonObject(block['resource']) ? block['resource'] : block
    if (!isJsonObject(link)) return
    const written = [link['name'], link['title'], link['uri']]
      .filter((part) => typeof part === 'string')
      .join(' ')
    const text = percentDecoded(written).replace(/[_+]+/g, ' ')
    if (text !== written) texts.push({ path: `/content/${index} (as words)`, text })
  })
}

const percentDecoded = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
