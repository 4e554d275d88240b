import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  snippet,
  type Completion,
  type CompletionSource,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
} from '@codemirror/language'
import { json } from '@codemirror/legacy-modes/mode/javascript'
import { lintGutter, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { SettingsFault } from '../../shared/api/settings.ts'
import type { JsonCompletion, JsonLanguage } from './json-language.ts'

/** Colours from tokens.css fit both themes. */
export function configExtensions(options: {
  readonly language: JsonLanguage
  readonly label: string
  readonly onChange: (text: string) => void
  readonly onSave: () => void
}): Extension[] {
  const { language, label, onChange, onSave } = options
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    search({ top: true }),
    highlightSelectionMatches(),
    highlightActiveLine(),
    bracketMatching(),
    closeBrackets(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    // JSON with comments: JavaScript's tokens without its words.
    StreamLanguage.define({ ...json, tokenTable: { property: tags.propertyName } }),
    syntaxHighlighting(highlighting),
    autocompletion({ override: [completeFrom(language)], icons: false }),
    hoverTooltip(async (view, offset) => {
      const found = await language.explain(view.state.doc.toString(), offset)
      return found
        ? { pos: found.from, end: found.to, above: true, create: () => ({ dom: note(found.words) }) }
        : null
    }),
    keymap.of([
      // Tab accepts a completion while the list is open, otherwise leaves the editor, to not trap the focus.
      { key: 'Tab', run: acceptCompletion },
      { key: 'Mod-s', preventDefault: true, run: () => (onSave(), true) },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString())
    }),
    theme,
  ]
}

/** Without line: on the first. */
export const toDiagnostics = (faults: readonly SettingsFault[], text: Text): Diagnostic[] =>
  faults.map(({ line, column, message }) => {
    const at = text.line(Math.min(Math.max(1, line), text.lines))
    const from = Math.min(at.from + Math.max(0, column - 1), at.to)
    return { from, to: Math.max(from, at.to), severity: 'error', message }
  })

const completeFrom =
  (language: JsonLanguage): CompletionSource =>
  async (context) => {
    const before = context.matchBefore(/[\w"$.-]+/)
    if (!before && !context.explicit) return null
    const found = await language.complete(context.state.doc.toString(), context.pos)
    const [first] = found
    if (!first) return null
    return {
      from: first.from,
      to: first.to,
      options: found.map(toCompletion),
      filter: true,
      validFor: /^[\w"$.-]*$/,
    }
  }

const toCompletion = (item: JsonCompletion): Completion => ({
  label: item.text.startsWith('"') ? `"${item.label.replaceAll('"', '')}"` : item.label,
  displayLabel: item.label,
  type: item.isProperty ? 'property' : 'constant',
  ...(item.detail && { info: () => note(item.detail) }),
  apply: item.isSnippet ? snippet(toTemplate(item.text)) : item.text,
})

/** The language service's snippets as CodeMirror's: `$1` in braces, without escapes. */
const toTemplate = (text: string): string =>
  text.replaceAll(/\\([\\$}])|\$(\d)/g, (_, sign?: string, field?: string) =>
    field === undefined ? (sign ?? '') : `\${${field}}`,
  )

function note(words: string): HTMLElement {
  const element = document.createElement('div')
  element.className = 'cm-words'
  element.textContent = words
  return element
}

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.string], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--amber)' },
  { tag: tags.comment, color: 'var(--ink-faint)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--red)' },
])

const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: 'var(--text-small)',
    color: 'var(--ink)',
    backgroundColor: 'var(--surface)',
  },
  // By focus, because CodeMirror's class follows late.
  '&.cm-focused': { outline: 'none' },
  '&:has(.cm-content:focus)': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  // The gutter covers the outline at its side.
  '&:has(.cm-content:focus) .cm-gutters': { boxShadow: 'inset 2px 0 0 var(--focus)' },
  '.cm-scroller': { fontFamily: 'var(--font-code)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '8px 0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--ink-faint)', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, ::selection':
    {
      backgroundColor: 'var(--chosen)',
    },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--chosen)', outline: '0' },
  '.cm-selectionMatch': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: '1px solid var(--line-strong)',
    fontFamily: 'var(--font-text)',
  },
  '.cm-tooltip': { borderRadius: 'var(--radius)', boxShadow: 'var(--shadow)' },
  '.cm-tooltip-autocomplete ul li': { padding: '2px 8px', fontFamily: 'var(--font-code)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--chosen)', color: 'var(--ink)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600', color: 'var(--accent)' },
  '.cm-words': { maxWidth: '420px', padding: '4px 8px', whiteSpace: 'pre-wrap' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--red)' },
  '.cm-textfield, .cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    color: 'var(--ink)',
  },
})
