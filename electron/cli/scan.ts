import { Command, Option } from 'commander'
import type { ScanVerdict } from '../engine/guardrails/judge.ts'
import type { PlacedFinding } from '../engine/guardrails/placed-findings.ts'
import { cleanText } from '../engine/guardrails/control-characters.ts'
import { BUILT_IN_GUARD_POLICY } from '../../shared/guard-policy.ts'
import type { CommandSetup } from './cli-context.ts'
import { ExitCode } from './exit-code.ts'
import { readInput, refuseFile } from './read-input.ts'

interface ScanOptions {
  readonly json: boolean
  readonly jsonl: boolean
}

const HELP = `
Examples:
  sluice scan page.html
  curl -s https://example.com | sluice scan
  sluice scan --jsonl < texts.jsonl > verdicts.jsonl

A text that looks like an attack ends the command with exit code 1. With --jsonl each line of the input is {id, text}, each
line of the output {id, verdict, score, reasons, findings, ms}, or {id, error} for a line that is no such request.
Findings have the kind, the reason and, where they are about one passage, its line and column (from 1), start and
end, and in JSON its path.`

export const scanCommand = ({ context, end }: CommandSetup): Command =>
  new Command('scan')
    .description('Say whether a file, or what comes through stdin, tries to give orders to a model.')
    .argument('[file]', 'the file; without it, or as "-", stdin is read')
    .option('--json', 'print a JSON object with verdict, score, reasons and where they are', false)
    .addOption(new Option('--jsonl', 'many texts, one JSON object a line').default(false).conflicts(['json']))
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, { json, jsonl }: ScanOptions) => {
      const { createScanText } = await import('../engine/guardrails/scan-text.ts')
      const { readGuardModels } = await import('../engine/guardrails/guard-models.ts')
      const scan = createScanText(readGuardModels())
      if (jsonl) {
        refuseFile('scan', file)
        const { bulkScan } = await import('../engine/guardrails/bulk-scan.ts')
        return bulkScan(context.stdin, context.stdout, { scan, now: () => performance.now() })
      }
      const text = await readInput(file, context)
      const verdict = scan(text)
      const { placedFindings } = await import('../engine/guardrails/placed-findings.ts')
      const findings = placedFindings(text, verdict)
      context.stdout.write(
        json ? `${JSON.stringify({ ...verdict, findings }, null, 2)}\n` : inWords(verdict, findings),
      )
      if (verdict.verdict === 'attack') end(ExitCode.problem)
    })

const FALSE_ALARM =
  'It may be a false alarm: texts that quote attacks or instruct models by profession read like them. If it is one, a result\nlike this can be let through with "sluice quarantine release ID", and its tool be watched less by "guard" in config.json.'

function inWords({ verdict, score }: ScanVerdict, findings: readonly PlacedFinding[]): string {
  const isAttack = verdict === 'attack'
  const judgement = isAttack
    ? 'This looks like an attack'
    : score >= BUILT_IN_GUARD_POLICY.markFrom
      ? 'This may give orders to a model. As a result it passes, with a note for the model that it is data'
      : 'Nothing suspicious enough was found'
  // Reasons quote the text.
  const shown = findings.map(
    ({ kind, reason, line, column, path }) =>
      `  ${line === undefined ? '' : `line ${line}, column ${column}${path === undefined ? '' : `, ${cleanText(path, 'visualise')}`}: `}${cleanText(`${kind}: ${reason}`, 'visualise')}`,
  )
  return [`${judgement} (score ${score.toFixed(2)}).`, ...shown, ...(isAttack ? [FALSE_ALARM] : []), ''].join(
    '\n',
  )
}
