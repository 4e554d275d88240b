import { Command, InvalidArgumentError } from 'commander'
import type { ResultPart } from '../engine/results/result-parts.ts'
import type { JsonObject } from '../engine/protocol/json-rpc.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { CliContext, CommandSetup } from './cli-context.ts'
import { localTime } from './local-time.ts'
import { printList } from './print-list.ts'
import { withResultStore } from './with-result-store.ts'
import { toCount } from './to-count.ts'

export const resultsCommand = (setup: CommandSetup): Command =>
  new Command('results')
    .description('The kept originals of shortened results.')
    .addCommand(listCommand(setup))
    .addCommand(showCommand(setup))
    .addHelpText(
      'after',
      '\nExamples:\n  sluice results list --client cursor\n  sluice results show r_7f3a9c > original.txt',
    )

const listCommand = ({ context, common }: CommandSetup): Command =>
  new Command('list')
    .description('List what is kept, newest first.')
    .option('--client <name>', 'only what this client got')
    .option('--limit <number>', 'how many at the most', toCount, 200)
    .option('--json', 'print a JSON array', false)
    .action(({ client, limit, json }: { client?: string; limit: number; json: boolean }) =>
      withResultStore(context, common(), async (store) => {
        const found = await store.list({ owner: client, limit: limit + 1 })
        if (found.length > limit)
          context.stderr.write(`These are the newest ${limit}. --limit NUMBER lists more.\n`)
        printList(context, found.slice(0, limit), {
          json,
          none: client === undefined ? 'Nothing is kept.' : `Nothing is kept for "${client}".`,
          columns: [
            { title: 'id', value: ({ id }) => id, isWhole: true },
            { title: 'client', value: ({ owner }) => owner },
            { title: 'server', value: ({ server }) => server },
            { title: 'tool', value: ({ tool }) => tool },
            { title: 'bytes', value: ({ size }) => size, right: true },
            { title: 'stored', value: ({ storedSize }) => storedSize, right: true },
            { title: 'from', value: ({ created }) => localTime(created) },
            { title: 'kept until', value: ({ expires }) => localTime(expires) },
          ],
        })
      }),
    )

const showCommand = ({ context, common }: CommandSetup): Command =>
  new Command('show')
    .description('Print the original text of one result, exactly as the server gave it.')
    .argument('<id>', 'the id from the header of the shortened result, or from `sluice results list`')
    .option('--part <number>', 'only this part, counted from 0', toIndex)
    .option('--json', 'print the whole result as JSON, pictures and all', false)
    .action((id: string, { part, json }: { part?: number; json: boolean }) =>
      withResultStore(context, common(), async (store) => {
        const stored = store.findForUser(id)
        if (!stored) {
          const young = await store.list({ limit: 1_000 })
          const hint = didYouMean(
            id,
            young.map((result) => result.id),
          )
          throw new SluiceError(
            'RESULT_UNKNOWN',
            `No result "${id}" is kept.${hint} \`sluice results list\` shows all.`,
          )
        }
        const result = await store.load(stored)
        if (json) context.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
        else await printTexts(result, part, context)
      }),
    )

async function printTexts(
  result: JsonObject,
  index: number | undefined,
  { stdout, stderr }: CliContext,
): Promise<void> {
  const { resultParts } = await import('../engine/results/result-parts.ts')
  const parts = resultParts(result).filter((part) => index === undefined || part.index === index)
  if (parts.length === 0) {
    throw new SluiceError(
      'BAD_INPUT',
      `This result has no part ${index ?? 0}. Without --part all are printed.`,
    )
  }
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  for (const part of parts) {
    if (part.type === 'other') stderr.write(`Part ${part.index} is ${nameOf(part)}; --json prints it.\n`)
  }
  stdout.write(texts.join('\n'))
}

const nameOf = (part: ResultPart): string =>
  part.type === 'other' ? `${part.contentType}${part.mime === undefined ? '' : ` (${part.mime})`}` : 'text'

function toIndex(value: string): number {
  const index = Number(value)
  if (Number.isInteger(index) && index >= 0) return index
  throw new InvalidArgumentError('Write a whole number from 0 on.')
}
