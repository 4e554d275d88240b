import { readWordGroups } from '../rank/word-groups.ts'

/** Everyday and programmers' words; each finds its group. General vocabulary. */
const GROUPS = `
dictionary map hash dict hashmap object|list array vector slice items|string str text|integer int number num|boolean bool
character char letter rune|increment incr inc plus|decrement decr dec minus|length len size count|maximum max largest biggest
minimum min smallest lowest|average mean avg|remove delete erase drop|append push add insert|index idx position pos|previous prev
current curr|calculate compute calc eval|initialize init setup create|configuration config settings options|connection conn
request req|response res resp reply|error err exception throw panic|message msg|parameter param argument arg|value val
element elem item entry|sequence seq|convert parse transform to|encode encrypt cipher|decode decrypt|uppercase upper
lowercase lower|sort sorted order rank|reverse rev inverse|random rand|power pow exponent|modulo mod remainder rem
multiply product mul times|divide div quotient|sum total add|difference diff subtract|square sqr sq sqrt root|concatenate concat join merge
split separate tokenize|copy clone duplicate|equal same equals compare|contain contains includes has|find search lookup get
directory dir folder|file path|database db store|retry attempt backoff|timeout deadline expire|authenticate auth login token
permission access role allow deny|cache memo store|queue fifo channel|stack lifo|tree node branch|read load fetch get|write save store put
start begin run launch|stop end close shutdown|send emit publish post|receive consume subscribe handle|print log show output write
lock mutex semaphore|thread worker goroutine task|wait await sleep delay|listener handler callback hook|test spec assert check
validate verify check ensure|filter select where|count tally frequency occurrences|unique distinct dedupe set|digit number numeral
fraction ratio rational|prime divisor factor|binary bits base|matrix grid table|median middle|circle round|bracket parenthesis paren`

/** '' when none. */
export const codeWordsFor = readWordGroups(GROUPS)

const LETTERS_OF_PROSE = new Set(['a', 'i', 's', 't', 'd', 'm'])

/** "x to the power of n"; lower-case. */
export function variablesIn(goal: string): ReadonlySet<string> {
  const letters = (goal.match(/(?<![\w'’])[A-Za-z](?![\w'’])/g) ?? []).map((letter) => letter.toLowerCase())
  return new Set(letters.filter((letter) => !LETTERS_OF_PROSE.has(letter)))
}
