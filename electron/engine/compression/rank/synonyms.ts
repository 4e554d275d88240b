import { stemOf } from '../../text/words/stem.ts'

/** Spellings of one word. */
const SPELLINGS = `
licence license|behaviour behavior|centre center|catalogue catalog|programme program|grey gray|defence defense|labour labor
organisation organization|favourite favorite|neighbour neighbor|honour honor|metre meter|theatre theater|harbour harbor
aluminium aluminum|colour color|initialise initialize|analyse analyze|cancelled canceled|cheque check|dialogue dialog`

/** One way: a question's word, and words likely near its answer. */
const HINTS = `
price>amount|cost>amount|paid>amount|cheap>price cost|expensive>price cost|buy>price|order>user customer
who>user name author|fail>error exception|crash>exception error fatal restarts crashloopbackoff|slow>duration ms time latency
newest>date created|oldest>date created|when>date time year|where>address city place location|deliver>address
ship>address tracking|parcel>tracking shipment package|live>address city reside habitat|complete>succeeded|finish>completed succeeded done
wait>pending|schedule>pending cron|stuck>pending waiting|initialize>init|initialise>init|restart>restarts reboot
pull>imagepullbackoff errimagepull|stop>killed exited terminated|listen>port bind|tall>height ft feet|high>height elevation
long>length duration|old>age born|far>distance|deep>depth|wide>width|heavy>weight|weigh>weight kg pounds|fast>speed
attend>attendance|crowd>attendance|teach>professor|mother>parents son daughter|father>parents son|owner>user|large>size area population
populous>population|rich>wealth|kernel>linux|api>apiserver|marry>wife husband spouse|wife>married|husband>married
born>birth|die>death killed|month>date|year>date|day>date|winner>won champion|win>champion victory defeat|oom>memory killed
login>auth authentication|certificate>tls ssl x509|permission>denied forbidden access|unauthorized>401 denied forbidden
missing>404 found such|timeout>timed deadline|dns>resolve lookup|install>setup|cpu>cores processor load|disk>space|full>space left
against>opponent versus|play>opponent role actor cast|act>actor cast role|sing>singer vocals artist performed|compose>composer music
write>author writer|direct>director|produce>producer|invent>inventor invention|discover>discovery discovered|found>founder established
establish>founded|star>cast actor|release>published date|publish>released|elect>election votes|vote>elected ballot|rule>reign
govern>governor|lead>leader head|own>owner|speed>mph km|hot>temperature|rain>precipitation|flow>river|score>goals points
money>dollars prize|job>position|president>chairman head|capital>city|currency>money|eat>diet food|grow>increase|nationality>country
deploy>rollout release|scale>replicas|user>account|version>release|exist>found|large>exceeds|exceed>over limit`

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')

const table = new Map<string, Set<string>>()
const link = (from: string, to: string) => {
  const known = table.get(from) ?? new Set<string>()
  table.set(from, known.add(to))
}
const entries = (list: string) => list.trim().split(/[|\n]/)
for (const group of entries(SPELLINGS)) {
  const words = group.split(' ')
  for (const a of words) for (const b of words) if (a !== b) link(stemOf(a), b)
}
for (const hint of entries(HINTS)) {
  const [from = '', to = ''] = hint.split('>')
  for (const word of to.split(' ')) link(stemOf(from), word)
}
NUMBERS.forEach((word, value) => {
  link(stemOf(word), String(value))
  link(String(value), word)
})

export const synonymsOf = (word: string): ReadonlySet<string> => table.get(stemOf(word)) ?? NONE

const NONE: ReadonlySet<string> = new Set()
