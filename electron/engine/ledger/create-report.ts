import type { Ledger } from './ledger.ts'
import { renderHtml } from './report/render-html.ts'
import { renderMarkdown } from './report/render-markdown.ts'
import { reportDocument } from './report/report-document.ts'
import type { TimeRange } from '../../../shared/api/savings.ts'
import type { ValuedReport } from './value-report.ts'

type ReportForm = 'html' | 'markdown'

interface ReportFile {
  readonly name: string
  readonly text: string
}

/** A page about days, with all sums in the open. `timeZone`: IANA name. */
export async function createReport(
  {
    ledger,
    report,
  }: {
    readonly ledger: Pick<Ledger, 'timeline' | 'trial'>
    readonly report: (range: TimeRange) => Promise<ValuedReport>
  },
  {
    range,
    timeZone,
    forms,
  }: { readonly range: TimeRange; readonly timeZone: string; readonly forms: readonly ReportForm[] },
): Promise<Record<ReportForm, ReportFile | undefined>> {
  const [savings, { points }, trial] = await Promise.all([
    report(range),
    ledger.timeline(range, { unit: 'day', timeZone }),
    ledger.trial(range),
  ])
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  const [from, to] = [day.format(range.from), day.format(range.to - 1)]
  const document = reportDocument({ from, to, savings, days: points, trial })
  const file = (form: ReportForm, ending: string, render: typeof renderHtml): ReportFile | undefined =>
    forms.includes(form) ? { name: `sluice-${from}-to-${to}.${ending}`, text: render(document) } : undefined
  return { html: file('html', 'html', renderHtml), markdown: file('markdown', 'md', renderMarkdown) }
}
