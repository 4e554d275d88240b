/** 'both' for ambiguous words ("best": lowest time or highest score). */
export type Direction = 'min' | 'max' | 'both'

const HIGH =
  /\b(?:most|max(?:imum)?|highest|largest|biggest|greatest|longest|latest|last|newest|slowest|top|tallest|heaviest|expensive|best|fastest|higher|larger|more|longer|bigger|greater|widest|deepest|strongest|final|above|exceed\w*|recent(?:ly)?)\b/
const LOW =
  /\b(?:least|min(?:imum)?|lowest|smallest|shortest|earliest|first|oldest|cheapest|fewest|quickest|lightest|lower|smaller|fewer|shorter|less|worst|youngest|slightest|initial|below|cheaper|earlier)\b/
const EITHER = /\b(?:first|last|oldest|newest|best|worst|fastest|longest|top|youngest|slowest|quickest)\b/
const ONLY_LOW = /\b(?:cheapest|fewest|least)\b/
const ODD =
  /\b(?:unusual|anomal\w*|odd|strange|outliers?|different|unexpected|weird|abnormal|stands? out|rather than|except(?:ion|ional)?|unlike|deviat\w*)\b/
const TROUBLE =
  /\b(?:errors?|fail\w*|crash\w*|exceptions?|problems?|wrong|why|broken|breaks?|unhealthy|issues?|warn\w*|slow\w*|stuck|denied|refused|timeouts?|killed)\b/

const NEIGHBOUR =
  /\b(?:before|after|next|previous(?:ly)?|preced\w*|succe(?:ed|eds|eded|eding|ssor)\b|follow(?:s|ed|ing)?|prior|predecessor|between|adjacent|beside)\b/

/** Amounts, times, sizes, numbers in Chinese and Japanese. */
const AMOUNT =
  /多少|多久|多大|多长|多高|多远|多快|第?几|何时|什么时候|哪一?[年天月]|端口|いつ|いくつ|いくら|(?:どの|どれ)(?:くらい|ぐらい|ほど)|何[年月日時分秒人個台回度倍番種枚通件つ本歳]|時期|期間|日付|ポート|番号|大きさ|長さ|サイズ/

export function findDirection(goal: string): Direction | undefined {
  const low = LOW.test(goal)
  const high = HIGH.test(goal) && !ONLY_LOW.test(goal)
  if ((low && high) || EITHER.test(goal)) return 'both'
  return low ? 'min' : high ? 'max' : undefined
}

export const asksForOddity = (goal: string): boolean => ODD.test(goal)
export const speaksOfTrouble = (goal: string): boolean => TROUBLE.test(goal)
export const asksForNeighbour = (goal: string): boolean => NEIGHBOUR.test(goal)
export const asksForAmount = (goal: string): boolean => AMOUNT.test(goal)
export const asksForSame = (goal: string): boolean =>
  /\b(?:same|equal|as (?:many|much)|other than|besides|also)\b/.test(goal)
