import { Command, InvalidArgumentError } from 'commander'
import {
  DEFAULT_PERSONAL_DATA_TYPES,
  PERSONAL_DATA_TYPES,
  type PersonalDataType,
} from '../../shared/masking-policy.ts'
import { didYouMean } from '../engine/ground/nearest.ts'
import type { CommandSetup } from './cli-context.ts'
import { readInput, refuseFile } from './read-input.ts'

interface MaskOptions {
  readonly types: readonly PersonalDataType[]
  readonly json: boolean
  readonly jsonl: boolean
}

const HELP = `
Types: ${PERSONAL_DATA_TYPES.join(', ')}.
"default" stands for all but person and address, which are guesses; "all" for all.

Examples:
  sluice mask mail.txt
  pbpaste | sluice mask --types default,person
  sluice mask --jsonl --types all < texts.jsonl > masked.jsonl

With --jsonl each line of the input is {id, text}, each line of the output {id, text, spans: [{type, start, end, value}], ms},
with UTF-16 offsets into the input, or {id, error} for a line that is no such request.`

export const maskCommand = ({ context }: CommandSetup): Command =>
  new Command('mask')
    .description(
      'Put placeholders such as [EMAIL_1] in place of personal data in a file, or in what comes through stdin.',
    )
    .argument('[file]', 'the file; without it, or as "-", stdin is read')
    .option('--types <list>', 'what to look for', toTypes, DEFAULT_PERSONAL_DATA_TYPES)
    .option('--json', 'print a JSON object with the text and what was found', false)
    .option('--jsonl', 'many texts, one JSON object a line', false)
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, { types, json, jsonl }: MaskOptions) => {
      const { maskBulk, maskText } = await import('../engine/masking/bulk-mask.ts')
      if (jsonl) {
        refuseFile('mask', file)
        return maskBulk(context.stdin, context.stdout, { types, now: () => performance.now() })
      }
      const masked = maskText(await readInput(file, context), { types })
      context.stdout.write(json ? `${JSON.stringify(masked, null, 2)}\n` : masked.text)
    })

function toTypes(list: string): readonly PersonalDataType[] {
  const types = list.split(',').flatMap((name): readonly PersonalDataType[] => {
    const word = name.trim()
    if (word === 'all') return PERSONAL_DATA_TYPES
    if (word === 'default') return DEFAULT_PERSONAL_DATA_TYPES
    const type = PERSONAL_DATA_TYPES.find((known) => known === word)
    if (!type)
      throw new InvalidArgumentError(
        `There is no type "${word}".${didYouMean(word, PERSONAL_DATA_TYPES)} There are: default, all, ${PERSONAL_DATA_TYPES.join(', ')}.`,
      )
    return [type]
  })
  return [...new Set(types)]
}
