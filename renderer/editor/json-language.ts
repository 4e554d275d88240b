import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice'
import { TextDocument } from 'vscode-languageserver-textdocument'

export interface JsonCompletion {
  readonly label: string
  readonly detail: string
  readonly text: string
  readonly isSnippet: boolean
  readonly isProperty: boolean
  readonly from: number
  readonly to: number
}

export interface JsonLanguage {
  complete(text: string, offset: number): Promise<JsonCompletion[]>
  explain(text: string, offset: number): Promise<{ words: string; from: number; to: number } | undefined>
}

/** Language Server Protocol: `InsertTextFormat.Snippet`. */
const SNIPPET = 2
const NAME = 'sluice://config.json'

export function createJsonLanguage(schema: JSONSchema): JsonLanguage {
  // Loads only the given schema.
  const service = getLanguageService({})
  service.configure({
    validate: false,
    allowComments: true,
    schemas: [{ uri: 'sluice://schema', fileMatch: [NAME], schema }],
  })
  const open = (text: string) => {
    const document = TextDocument.create(NAME, 'jsonc', 1, text)
    return { document, parsed: service.parseJSONDocument(document) }
  }
  return {
    complete: async (text, offset) => {
      const { document, parsed } = open(text)
      const list = await service.doComplete(document, document.positionAt(offset), parsed)
      return (list?.items ?? []).flatMap((item): JsonCompletion[] => {
        const { textEdit } = item
        if (!textEdit || !('range' in textEdit)) return []
        return [
          {
            label: item.label,
            detail: wordsOf(item.documentation),
            text: textEdit.newText,
            isSnippet: item.insertTextFormat === SNIPPET,
            isProperty: item.label !== '' && textEdit.newText.startsWith('"') && /":/.test(textEdit.newText),
            from: document.offsetAt(textEdit.range.start),
            to: document.offsetAt(textEdit.range.end),
          },
        ]
      })
    },
    explain: async (text, offset) => {
      const { document, parsed } = open(text)
      const hover = await service.doHover(document, document.positionAt(offset), parsed)
      const words = wordsOf(hover?.contents)
      if (!hover?.range || words === '') return undefined
      return {
        words,
        from: document.offsetAt(hover.range.start),
        to: document.offsetAt(hover.range.end),
      }
    },
  }
}

/** Plain or Markdown parts, without escapes. */
function wordsOf(contents: unknown): string {
  const parts: unknown[] = Array.isArray(contents) ? contents : [contents]
  return parts
    .map((part) => {
      const text = typeof part === 'object' && part !== null && 'value' in part ? part.value : part
      return typeof text === 'string' ? text.replaceAll(/\\([\\`*_{}[\]()#+\-.!<>])/g, '$1') : ''
    })
    .filter((text) => text !== '')
    .join('\n\n')
}
