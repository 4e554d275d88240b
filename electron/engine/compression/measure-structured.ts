import { saysTheSame } from '../protocol/exact-json.ts'
import type { MeasuredStructured, MeasureStructuredInput } from './structured-half.ts'
import { tokensOf } from '../text/tokens/measure-texts.ts'

export const measureStructured = ({ json, text }: MeasureStructuredInput): MeasuredStructured => ({
  tokens: tokensOf(json),
  isRepeated: text !== undefined && saysTheSame(json, text),
})
