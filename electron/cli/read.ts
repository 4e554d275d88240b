import { Command, InvalidArgumentError } from 'commander'
import { SluiceError } from '../engine/ground/errors.ts'
import { parsePartId } from '../engine/results/part-id.ts'
import type { CliContext, CommandSetup, CommonOptions } from './cli-context.ts'
import { textToRead, type WhatToRead } from './read/text-to-read.ts'
import { toCount } from './to-count.ts'

const EXAMPLES = `
For agents: prints the original of a result that Sluice shortened, page by page, never shortened.

Examples:
  sluice read r_7f3a9c                  the first page
  sluice read r_7f3a9c --page 2
  sluice read r_7f3a9c --grep error     lines with this text (any case), with their numbers
  sluice read r_7f3a9c --lines 120-180
  sluice read r_7f3a9c --tail 50
  sluice read q_1f2e3d4c5b6a            a quarantined result, once its user has released it`

export const readCommand = ({ context, common }: CommandSetup): Command =>
  new Command('read')
    .description('Print the original of a shortened result, or a part of it.')
    .argument('<id>', 'the id from the header of the shortened result')
    .option('--grep <text>', 'only lines with this text, in any case')
    .option('--lines <from-to>', 'only these lines, counted from 1', toLines)
    .option('--tail <number>', 'only the last lines', toCount)
    .option('--page <number>', 'of what is printed, counted from 1', toCount)
    .addHelpText('after', EXAMPLES)
    .action((id: string, what: WhatToRead) => read(id, what, context, common()))

async function read(
  name: string,
  what: WhatToRead,
  context: CliContext,
  common: CommonOptions,
): Promise<void> {
  if (name.startsWith('q_')) return readReleased(name, what, context, common)
  const { withResultStore } = await import('./with-result-store.ts')
  const { resultParts } = await import('../engine/results/result-parts.ts')
  const { id, parts: range } = parsePartId(name)
  await withResultStore(context, common, async (store) => {
    const stored = store.findForUser(id)
    if (!stored)
      throw new SluiceError(
        'RESULT_UNKNOWN',
        `No result "${id.slice(0, 40)}" is kept, or no longer. Run the command again: its shortened output names a new id.`,
      )
    const [first, last] = range ?? [0, Infinity]
    const texts = resultParts(await store.load(stored)).flatMap((part) =>
      part.type === 'text' && part.index >= first && part.index <= last ? [part.text] : [],
    )
    context.stdout.write(textToRead(texts.join('\n'), what))
  })
}

/** For agents without Sluice's MCP tools. */
async function readReleased(
  id: string,
  what: WhatToRead,
  context: CliContext,
  common: CommonOptions,
): Promise<void> {
  const { findQuarantined, withQuarantine } = await import('./with-quarantine.ts')
  const { asToolResult } = await import('../engine/guardrails/release-tool.ts')
  const { revealExplored } = await import('../engine/guardrails/reveal-result.ts')
  const { resultParts } = await import('../engine/results/result-parts.ts')
  await withQuarantine(context, common, async (store) => {
    const { releasedAt } = findQuarantined(store, id)
    if (releasedAt === undefined)
      throw new SluiceError(
        'CALL_REFUSED',
        `The user has not released ${id}. Only the user can: on the Quarantine screen, or with "sluice quarantine show ${id}", then "sluice quarantine release ${id}".`,
      )
    const result = revealExplored(asToolResult(await store.load(id)), { controlCharacters: 'visualise' })
    const texts = resultParts(result).flatMap((part) => (part.type === 'text' ? [part.text] : []))
    context.stdout.write(textToRead(texts.join('\n'), what))
  })
}

function toLines(value: string): readonly [number, number] {
  const [, from, to = from] = /^(\d{1,9})(?:[-:,](\d{1,9}))?$/.exec(value) ?? []
  const lines = [Number(from), Number(to)] as const
  if (lines[0] >= 1 && lines[1] >= lines[0]) return lines
  throw new InvalidArgumentError('Write a line or a range of lines, such as 10-80.')
}
