import type { ServerPlace } from './client-spec.ts'
import { HIDDEN, hideInArgs, hideInUrl } from '../ground/secrets/hide-secrets.ts'
import { isSecretName } from '../ground/secrets/redact.ts'
import type { ConfigItem, ConfigNode, ConfigPath } from './formats/config-node.ts'
import { nodeAt } from './formats/config-node.ts'
import type { ConfigFormat, ParsedConfig } from './formats/config-format.ts'
import type { Splice } from './formats/splices.ts'
import { applySplices } from './formats/splices.ts'
import { valueAt } from './list-servers.ts'

const ALL_BELOW = /^(?:env|envs|environment|headers|http_headers)$/

export function redactText(
  text: string,
  { root, value }: ParsedConfig,
  format: ConfigFormat,
  places: readonly ServerPlace[],
): string {
  const splices: Splice[] = []
  const hide = (node: ConfigNode, shown: string): void => {
    splices.push({ start: node.start, end: node.end, text: format.writeInline(shown) })
  }
  const walk = (node: ConfigNode, path: ConfigPath, isHidden: boolean): void => {
    const own = valueAt(value, path)
    if (node.kind === 'scalar') {
      if (isHidden && own !== null && own !== undefined) hide(node, HIDDEN)
      else if (typeof own === 'string' && hideInUrl(own) !== own) hide(node, hideInUrl(own))
      return
    }
    const texts = node.kind === 'list' && Array.isArray(own) ? own : []
    if (texts.length > 0 && texts.every((item) => typeof item === 'string')) {
      const shown = hideInArgs(texts, undefined, () => HIDDEN)
      for (const [index, item] of node.items.entries()) {
        const isSame = shown[index] === texts[index]
        if (isHidden || !isSame) hide(item.value, isHidden ? HIDDEN : (shown[index] ?? HIDDEN))
      }
      return
    }
    for (const { key, value: child, isOverridden } of node.items) {
      if (isOverridden) {
        hide(child, HIDDEN)
        continue
      }
      const below = [...path, key]
      const isSecret =
        typeof key === 'string' &&
        isSecretName(key) &&
        child.kind === 'scalar' &&
        typeof valueAt(value, below) !== 'boolean'
      walk(child, below, isHidden || isSecret)
    }
  }
  walk(root, [], false)
  for (const { path } of places) hideVariables(nodeAt(root, path), hide)
  return applySplices(text, withoutDoubles(splices))
}

/** Of all servers. */
function hideVariables(
  container: ConfigNode | undefined,
  hide: (node: ConfigNode, shown: string) => void,
): void {
  const hideAll = (node: ConfigNode): void => {
    if (node.kind === 'scalar') hide(node, HIDDEN)
    for (const { value } of counting(node)) hideAll(value)
  }
  const look = (node: ConfigNode): void => {
    for (const { key, value } of counting(node)) {
      if (ALL_BELOW.test(String(key))) hideAll(value)
      else look(value)
    }
  }
  if (container) for (const { value } of counting(container)) look(value)
}

const counting = ({ items }: ConfigNode): readonly ConfigItem[] =>
  items.filter(({ isOverridden }) => isOverridden !== true)

const withoutDoubles = (splices: readonly Splice[]): Splice[] => [
  ...new Map(
    splices.filter(({ start, end }) => end > start).map((splice) => [splice.start, splice]),
  ).values(),
]
