import * as fc from '../../../helpers/properties.ts'
import { expect, it } from 'vitest'
import { closerMarks } from '../../../../electron/engine/guardrails/orders/closer-marks.ts'
import { type Mark, markBit, MARKS } from '../../../../electron/engine/guardrails/orders/marks.ts'
import { readOrderModel } from '../../../../electron/engine/guardrails/orders/order-model.ts'
import { sentencesOf } from '../../../../electron/engine/guardrails/orders/sentences.ts'

/** What each mark means, tried everywhere: the guard looks only where the signs of one are. */
const MEANINGS: Partial<Record<Mark, RegExp>> = {
  url: /\bhttps?:\/\/|\b[w]{3}\.|\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  email: /[\w.+-]@[\w-]+\.\w/,
  path: /~\/\.|\/etc\/|\.env\b|\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.netrc|\.npmrc|passwd/,
  placeholder: /[?&=/][\w-]*[{<[$#(]|\{\{|!\[[^\]]{0,80}\]\(/,
  shell:
    /\bcurl\b|\bwget\b|\|\s{0,4}(?:ba)?sh\b|\brm -rf\b|\bsudo\b|\bnc -|\bchmod\b|\bpip install\b|\bgit push\b|\bpowershell\b/,
  snake: /[a-z]_[a-z]/,
}
const QUOTE = /["'“‘`«]\s*$/
const QUOTED = /^\s*["'“‘`«]|["'”’`»]\s*$/
const COMMENT = /(?:^|\s)(?:\/\/|#|\/\*|<!--|\*|--|;|%|REM)\s*$/
const COMMENTED = /^\s*(?:\/\/|#|\/\*|<!--|\*|--)/
const AHEAD = 30

function marksOf(text: string, start: number, end: number): Mark[] {
  const raw = text.slice(start, end)
  const ahead = text.slice(Math.max(0, start - AHEAD), start)
  const before = ahead.slice(ahead.lastIndexOf('\n') + 1)
  return MARKS.filter((mark) => {
    if (mark === 'quoted') return QUOTED.test(raw) || QUOTE.test(before)
    if (mark === 'comment') return COMMENTED.test(raw) || COMMENT.test(before)
    return MEANINGS[mark]?.test(raw) === true
  })
}

const pieces =
  'ignore|send|rules| |  |. |.|\n|\t|\u00a0|é|ß|中文|_|-|--|/|//|#|/*|*|<!--|;|%|REM|"|\'|`|“|»|’|!|?|=|&|@|(|[|]|{{|}|$|,|:|w|www.|10.0.0.1|1|.env|.ssh|.aws|.netrc|.npmrc|id_rsa|passwd|ss|wd|~/.|/etc/|https://|a@b.c|curl|CURL|wget|sh|bash|rm -rf|sudo|nc -|chmod|pip install|git push|powershell'.split(
    '|',
  )
pieces.push('|', '| sh')

it('are found wherever their patterns match', () => {
  const { words } = readOrderModel()
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 30 }), (some) => {
      const text = `send ${some.join('')}`
      for (const sentence of sentencesOf(text, words)) {
        const bits = closerMarks(text, sentence)
        const found = MARKS.filter((mark) => (bits & markBit(mark)) !== 0)
        expect(found).toEqual(marksOf(text, sentence.start, sentence.end))
      }
    }),
    { numRuns: 2000 },
  )
})
