import { Command, Option } from 'commander'
import { SUMMARY_FORMS, type SummaryForm } from '../../shared/policy.ts'
import type { ShortenOutput } from '../engine/compression/treatment.ts'
import type { CompressTextInput } from '../engine/compression/compress-text.ts'
import { CONTENT_KINDS, type ContentKind } from '../engine/text/kinds/content-kinds.ts'
import { SluiceError } from '../engine/ground/errors.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { CliContext, CommandSetup } from './cli-context.ts'
import { readInput, refuseFile } from './read-input.ts'
import { toCount } from './to-count.ts'

interface CompressOptions {
  readonly goal?: string
  readonly budget: number
  readonly kind?: ContentKind
  readonly strategy?: string
  readonly lossless: boolean
  readonly endpoint?: string
  readonly model?: string
  readonly summary: SummaryForm
  readonly json: boolean
  readonly jsonl: boolean
}

const EXAMPLES = `
Examples:
  sluice compress build.log --budget 500
  curl -s https://example.com/data.json | sluice compress --goal "orders that failed"
  sluice compress table.csv --lossless
  sluice compress report.txt --strategy model --endpoint http://127.0.0.1:11434/v1 --model qwen3:0.6b
  sluice compress --jsonl < cases.jsonl > answers.jsonl

With --jsonl each line of the input is {id, text, budget, goal?, kind?, lossless?}, each line of the output
{id, text, tokensBefore, tokensAfter, strategy, ms}, or {id, error} for a line that is no such request.

With --strategy model a model writes about the text: the one in use (sluice models use), or the one at --endpoint, which is
asked without a key. "note" in the JSON says why its words were not used.`

export const compressCommand = ({ context, common }: CommandSetup): Command =>
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
    .option('--strategy <name>', 'use this strategy, for example "preview" or "model"')
    .option('--endpoint <url>', 'with --strategy model: an OpenAI-compatible address, up to and with /v1')
    .option('--model <name>', 'with --endpoint: its name for the model')
    .addOption(
      new Option('--summary <form>', "with --strategy model: the model's words beside an extract, or alone")
        .choices(SUMMARY_FORMS)
        .default('with-extract'),
    )
    .option('--lossless', 'only a form from which everything can be rebuilt, at any size', false)
    .option('--json', 'print a JSON object with the text and the figures', false)
    .addOption(
      new Option('--jsonl', 'many texts, one JSON object a line')
        .default(false)
        .conflicts(['json', 'goal', 'kind', 'lossless']),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (file: string | undefined, options: CompressOptions) => {
      const { strategy } = options
      if (strategy !== undefined && strategy !== MODEL) await checkStrategy(strategy)
      if (strategy !== MODEL && (options.endpoint ?? options.model) !== undefined) {
        throw new SluiceError(
          'BAD_INPUT',
          'Only "--strategy model" asks a model. Add it, or leave --endpoint and --model out.',
        )
      }
      const run = async (compress: Compress): Promise<void> =>
        options.jsonl ? compressLines(file, context, compress) : compressOne(file, context, options, compress)
      if (strategy === MODEL) {
        const { withSummaries } = await import('./compress/with-summaries.ts')
        await withSummaries(context, common(), options, run)
      } else {
        const { loadCompressor } = await import('../engine/compression/load-compressor.ts')
        const compressText = await loadCompressor()
        await run((input) => compressText({ ...input, strategy }))
      }
    })

type Compress = (input: CompressTextInput) => ShortenOutput | Promise<ShortenOutput>

const MODEL = 'model'

async function compressOne(
  file: string | undefined,
  context: CliContext,
  { goal, budget, kind, lossless, json }: CompressOptions,
  compress: Compress,
): Promise<void> {
  const text = await readInput(file, context)
  // The compressor itself only estimates long texts, and the header states the figure.
  const { countTokens } = await import('../engine/text/tokens/count-tokens.ts')
  const output = await compress({ text, tokens: countTokens(text), goal, budget, kind, lossless })
  if (json) context.stdout.write(`${JSON.stringify(output, null, 2)}\n`)
  else context.stdout.write(output.text.endsWith('\n') ? output.text : `${output.text}\n`)
}

async function compressLines(
  file: string | undefined,
  context: CliContext,
  compress: Compress,
): Promise<void> {
  refuseFile('compress', file)
  const { compressBulk } = await import('../engine/compression/bulk.ts')
  await compressBulk(context.stdin, context.stdout, { compress, now: () => performance.now() })
}

async function checkStrategy(name: string): Promise<void> {
  const { strategies, strategyNamed } = await import('../engine/compression/strategies/registry.ts')
  if (strategyNamed(name)) return
  const names = [...strategies.map((strategy) => strategy.name), MODEL]
  throw new SluiceError(
    'BAD_INPUT',
    `There is no strategy "${name}".${didYouMean(name, names)} There are: ${names.join(', ')}.`,
  )
}
