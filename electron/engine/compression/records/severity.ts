/** Words of failure in a value. */
const SEVERE =
  /\b(?:errors?|err|fail\w*|fatal|critical|crit|exception\w*|panic\w*|denied|refused|reject\w*|time[- ]?d? ?out|crash\w*|invalid|unhealthy|degraded|warn(?:ing)?|deprecated|unauthori[sz]ed|forbidden|emerg\w*|alert|abort\w*|cannot|unable|killed|oom\w*|back-?off|down|offline|unreachable|missing|mismatch\w*|violat\w*|corrupt\w*|broken|expired|blocked|stuck|lost)\b|(?:Error|Failed|Exception|BackOff)\b/i
const LONGEST = 2000

export const isSevere = (text: string): boolean => text.length <= LONGEST && SEVERE.test(text)
