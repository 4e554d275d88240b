import { Command, InvalidArgumentError, Option } from 'commander'
import type { ContentKind } from '../engine/compression/strategy.ts'
import { CONTENT_KINDS } from '../engine/compression/strategy.ts'
import { SluiceError } from '../engine/errors.ts'
import type { CliContext, CommandSetup } from './cli-context.ts'
import { readInput, refuseFile } from './read-input.ts'

interface CompressOptions {
  readonly goal?: string
  readonly budget: number
  readonly kind?: ContentKind
  readonly strategy?: string
  readonly lossless: boolean
  readonly json: boolean
  readonly jsonl: boolean
}

const EXAMPLES = `
Examples:
  sluice compress build.log --budget 500
  curl -s https://example.com/data.json | sluice compress --goal "orders that failed"
  sluice compress table.csv --lossless
  sluice compress --jsonl < cases.jsonl > answers.jsonl

With --jsonl each line of the input is {id, text, budget, goal?, kind?, lossless?}, each line of the output
{id, text, tokensBefore, tokensAfter, strategy, ms}, or {id, error} for a line that is no such request.`

export const compressCommand = ({ context }: CommandSetup): Command =>
  new Command('compress')
    .description('Shorten a file, or what comes through stdin, as a tool result would be shortened.')
    .argument('[file]', 'the file; without it, or as "-", stdin is read')
    .option('--goal <text>', 'what the reader is looking for')
    .option(
      '--budget <tokens>',
      'tokens (o200k_base) of the output at the most, header included',
      toCount,
      1000,
    )
    .addOption(new Option('--kind <kind>', 'what the text is, instead of finding out').choices(CONTENT_KINDS))
    .option('--strategy <name>', 'use this strategy, for example "preview"')
    .option('--lossless', 'only a form from which everything can be rebuilt, at any size', false)
    .option('--json', 'print a JSON object with the text and the figures', false)
    .addOption(
      new Option('--jsonl', 'many texts, one JSON object a line')
        .default(false)
        .conflicts(['json', 'goal', 'kind', 'strategy', 'lossless']),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, options: CompressOptions) => {
      if (options.jsonl) return compressLines(file, context)
      const text = await readInput(file, context)
      const { loadCompressor } = await import('../engine/compression/load-compressor.ts')
      const compressText = await loadCompressor()
      if (options.strategy !== undefined) await checkStrategy(options.strategy)
      const { goal, budget, kind, strategy, lossless } = options
      const output = compressText({ text, goal, budget, kind, strategy, lossless })
      if (options.json) context.stdout.write(`${JSON.stringify(output, null, 2)}\n`)
      else context.stdout.write(output.text.endsWith('\n') ? output.text : `${output.text}\n`)
    })

async function compressLines(file: string | undefined, context: CliContext): Promise<void> {
  refuseFile('compress', file)
  const { compressBulk } = await import('../engine/compression/bulk.ts')
  const { loadCompressor } = await import('../engine/compression/load-compressor.ts')
  const compress = await loadCompressor()
  await compressBulk(context.stdin, context.stdout, { compress, now: () => performance.now() })
}

async function checkStrategy(name: string): Promise<void> {
  const { strategies, strategyNamed } = await import('../engine/compression/strategies/registry.ts')
  if (strategyNamed(name)) return
  const names = strategies.map((strategy) => strategy.name).join(', ')
  throw new SluiceError('BAD_INPUT', `There is no strategy "${name}". There are: ${names}.`)
}

function toCount(value: string): number {
  const count = Number(value)
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError('It must be a whole number above 0.')
  return count
}
