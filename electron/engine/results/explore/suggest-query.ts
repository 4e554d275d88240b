import { inNewForm, isBareCondition, toJsonPath } from './write-json-path.ts'

/** jq: `.items[] | select(.amount > 10) | .id`, `.items | map(select(…))`, `.items[] | .id`, `.items[] | {id, name}`. */
const PIPED = /^\s*(?<list>[^|]*?)(?:\[\s*\])?\s*\|\s*(?<steps>.+)$/s
const SELECT = /^(?:map\(\s*)?select\((?<condition>.+?)\)+\s*(?:\|\s*(?<rest>.+))?$/s
const BRACKET = /\[\s*\??\s*([^[\]]*[=<>~\s][^[\]]*)\]/
/** JMESPath and jq: `{id, name}`, `{id: id}`. */
const SEVERAL = /\.?\s*\{([^{}]*)\}\s*$/
const COUNT = /^\s*(?:length|count|size)\s*\(|(?:\.|\|)\s*(?:length|count|size)\s*(?:\(\s*\))?\s*$/

/** What was probably meant, in JSONPath, as ` Write ….`; empty if nothing valid is known. */
export function suggestQuery(source: string, isValid: (query: string) => boolean): string {
  if (COUNT.test(source))
    return ' proxy_explore tells how many elements a list has; proxy_run counts others: data.items.filter(…).length.'
  const written = candidates(source).find(isValid)
  return written === undefined ? '' : ` Write ${written}.`
}

function candidates(source: string): string[] {
  const { list = '', steps = '' } = PIPED.exec(source)?.groups ?? {}
  if (steps !== '') {
    const { condition, rest = '' } = SELECT.exec(steps)?.groups ?? {}
    const after = plainStep(condition === undefined ? steps : rest)
    const chosen = condition === undefined ? '[*]' : `[?${inNewForm(withoutDots(condition))}]`
    return [toJsonPath(`${list.trim()}${chosen}${after}`)]
  }
  if (isBareCondition(source)) return [`$..[?${inNewForm(source)}]`]
  const inBrackets = source.replace(BRACKET, (_, condition: string) => `[?${inNewForm(condition)}]`)
  return [inBrackets, source].map((each) => toJsonPath(several(each)))
}

const plainStep = (step: string): string => {
  const name = several(step.trim()).replace(/^\.?(?:\[\s*\])?/, '')
  return name === '' || name.startsWith('[') ? name : `.${name.replace(/^\./, '')}`
}

/** jq's fields begin with a dot. */
const withoutDots = (condition: string): string =>
  condition.replaceAll(/(?<![\w\])@$"'.])\.(?=[\p{L}_])/gu, '')

const several = (source: string): string =>
  source.replace(SEVERAL, (_, names: string) => {
    const all = names
      .split(',')
      .map((name) => JSON.stringify(name.replace(/^.*:/s, '').trim().replace(/^\./, '')))
    return `[${all.join(', ')}]`
  })
