import { stemOf } from './stem.ts'

/** Words that mean nearly the same; each finds the others. Everyday English and the vocabulary of tools. */
const GROUPS = `
price cost fee amount|buyer customer user purchaser|error exception failure fault|latest newest recent
booking reservation|phone telephone mobile|mail email|begin start commence|end finish|large big huge
small little tiny|stop halt terminate kill|memory mem ram|revenue sales turnover|income earnings profit
author writer|film movie|doctor dr|professor prof|delete remove|create add|change modify update edit
picture image photo|car vehicle automobile|job occupation profession|wage salary pay|house home
team club side|game match|country nation|town city|road street|mountain peak|sea ocean|boat ship
employee staff worker|company firm business|illness disease|medicine drug|child kid|retry again
disk storage|directory folder|parameter argument|fetch retrieve get|login signin|address location
pod container|node host machine|reject deny refuse|cancel abort|wait sleep delay|allow permit grant
quick fast rapid|buy purchase|rate ratio|total sum|average mean|tv television|usa us america american
uk britain british|teacher instructor|lawyer attorney|prize award|goal score|defeat beat|opponent rival
message msg|number count quantity|identifier id|configuration config settings|application app
database db|repository repo|password pwd|temperature temp|maximum max|minimum min|average avg
destination dest|source src|length len|index idx|string str|function func fn|request req|response resp`

/** One way only: a question's word, and the words that tend to stand where its answer is. */
const HINTS = `
cheap>price cost|cheapest>price cost|expensive>price cost|buy>price|order>user customer|who>user name author
fail>error exception|failed>error exception|crash>exception error fatal restarts crashloopbackoff
slow>duration ms time latency|slowest>duration ms time|newest>date created|oldest>date created
when>date time year|where>address city place location|deliver>address|ship>address tracking|shipped>tracking
parcel>tracking shipment package|live>address city|complete>succeeded|completed>succeeded|finished>completed succeeded done
waiting>pending|scheduled>pending|stuck>pending waiting|initializing>init|initialising>init|restart>restarts
pull>imagepullbackoff errimagepull|stopped>killed exited terminated|listen>port|tall>height|high>height
long>length duration|old>age born|far>distance|deep>depth|wide>width|heavy>weight|fast>speed|attended>attendance
teach>professor|mother>parents son daughter|father>parents son|owner>user|tall>ft|large>size area population
populous>population|rich>wealth|kernel>linux|api>apiserver|married>wife husband spouse|wife>married|husband>married
born>birth|died>death|name>called|location>city place|month>date|year>date|day>date|crowd>attendance|winner>won champion
oom>memory killed|login>auth authentication|certificate>tls ssl x509|permission>denied forbidden access`

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const table = new Map<string, Set<string>>()
const link = (from: string, to: string) => {
  const known = table.get(from) ?? new Set<string>()
  table.set(from, known.add(to))
}
const entries = (list: string) => list.trim().split(/[|\n]/)
for (const group of entries(GROUPS)) {
  const words = group.split(' ')
  for (const a of words) for (const b of words) if (a !== b) link(stemOf(a), b)
}
for (const hint of entries(HINTS)) {
  const [from = '', to = ''] = hint.split('>')
  for (const word of to.split(' ')) {
    link(from, word)
    link(stemOf(from), word)
  }
}
NUMBERS.forEach((word, value) => {
  link(stemOf(word), String(value))
  link(String(value), word)
})

/** Words that may stand for a word of a goal, by the word itself and by its stem. */
export function synonymsOf(word: string): ReadonlySet<string> {
  const byWord = table.get(word)
  const byStem = table.get(stemOf(word))
  if (byWord === undefined || byStem === undefined || byWord === byStem) return byWord ?? byStem ?? new Set()
  return new Set([...byWord, ...byStem])
}
