import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { openChatServer, type ChatBehaviour, type ChatQuestionSeen } from '../helpers/open-chat-server.ts'

// Runs a command beside a server that answers like models do: well, blandly, badly or not at all, by document.
// {endpoint} in the command is its address. Scores the strategy `model`, whose fallbacks must keep what the
// deterministic tier keeps:
// --ways 'bland,first lines' before the command restricts the ways, for the worst answers that pass every check. node
// test/bench/with-answering-server.ts node SCORE compress --cmd 'node electron/cli.ts' --args '--strategy model
// --endpoint {endpoint} --model any'

const given = process.argv.slice(2)
const only = given[0] === '--ways' ? (given[1] ?? '').split(',') : undefined
const [command = '', ...args] = only ? given.slice(2) : given
const counts = new Map<string, number>()

const WAYS: readonly (readonly [
  name: string,
  (document: string, goal: string, room: number) => ChatBehaviour,
])[] = [
  ['well', (document, goal, room) => ({ says: bestLines(document, goal, room) })],
  [
    'well, thinking',
    (document, goal, room) => ({ says: `<think>Is it 9173?</think>${bestLines(document, goal, room)}` }),
  ],
  ['bland', (document) => ({ says: `This is about ${commonWords(document)} and other things.` })],
  ['first lines', (document, _, room) => ({ says: document.slice(0, room) })],
  ['nonsense', () => ({ says: 'Bananas grow upwards because sunshine pulls them gently skywards.' })],
  ['invented', (document) => ({ says: `About ${commonWords(document)}: 918273 of them, by /no/such/path.` })],
  ['over the budget', (document) => ({ says: document.slice(0, 6000) })],
  ['empty', () => ({ says: '' })],
  ['refused', () => ({ status: 400, body: { error: { message: 'I do not want to.' } } })],
  ['broken', () => ({ breaksAfter: 'The answer is' })],
  ['no chat', () => ({ raw: '<html></html>', type: 'text/html' })],
]

const ways = only ? WAYS.filter(([name]) => only.includes(name)) : WAYS

const server = await openChatServer(({ body }: ChatQuestionSeen) => {
  const user = body.messages.at(-1)?.content ?? ''
  const document = /BEGIN (\w+)\n([\s\S]*)\nEND \1/.exec(user)?.[2] ?? ''
  const goal = /^The reader's goal: (.*)$/m.exec(user)?.[1] ?? ''
  const byte =
    createHash('sha256')
      .update(goal === '' ? document : goal)
      .digest()[0] ?? 0
  const [name, way] = ways[byte % ways.length] ?? ['', () => ({ says: '' })]
  counts.set(name, (counts.get(name) ?? 0) + 1)
  // Characters for the allowed number of words.
  const room = Number(/at most (\d+) words/.exec(body.messages[0]?.content ?? '')?.[1] ?? 0) * 4
  return way(document, goal, room)
})
const child = spawn(
  command,
  args.map((arg) => arg.replaceAll('{endpoint}', server.baseUrl)),
  { stdio: 'inherit' },
)
child.on('close', (code) => {
  process.stderr.write(`asked: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}\n`)
  process.exitCode = code ?? 1
  void server.close()
})

/** The lines with the most words of the goal, verbatim. */
function bestLines(document: string, goal: string, room: number): string {
  const wanted = new Set(goal.toLowerCase().match(/\p{L}{3,}|\p{N}+/gu) ?? [])
  const score = (line: string): number =>
    new Set((line.toLowerCase().match(/\p{L}{3,}|\p{N}+/gu) ?? []).filter((word) => wanted.has(word))).size
  return document
    .split('\n')
    .map((line) => ({ line, score: score(line) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, 2)
    .map(({ line }) => line.slice(0, room / 2))
    .join('\n')
}

/** The three commonest longer words. */
function commonWords(document: string): string {
  const words = new Map<string, number>()
  for (const [word] of document.toLowerCase().matchAll(/\p{L}{5,}/gu))
    words.set(word, (words.get(word) ?? 0) + 1)
  const sorted = [...words].sort((a, b) => b[1] - a[1])
  return sorted
    .slice(0, 3)
    .map(([word]) => word)
    .join(', ')
}
