import type { Definition } from './definition.ts'
import { detectLanguage, type SourceLanguage } from './detect-language.ts'
import { grammarOf } from './grammars.ts'
import { languages, type LanguageId } from './languages.ts'
import { outlineByLines } from './outline-by-lines.ts'
import { outlineBySyntax } from './outline-by-syntax.ts'

const hasGrammar = (language: SourceLanguage): language is LanguageId => language in languages

export interface Outline {
  readonly definitions: readonly Definition[]
  readonly language: SourceLanguage | undefined
}

/** The definitions of a source text: by its grammar where one fits, by its lines where none does. */
export function findDefinitions(text: string): Outline {
  const language = detectLanguage(text)
  const grammar = language && hasGrammar(language) ? grammarOf(language) : undefined
  const syntax = grammar && outlineBySyntax(text, grammar)
  if (syntax && !syntax.hasErrors) return { definitions: syntax.definitions, language }
  const byLines = outlineByLines(text)
  // Where the grammar stumbled, it must at least not have missed what plain lines show.
  const isTrusted = syntax && syntax.definitions.length >= byLines.length * 0.8
  return { definitions: isTrusted ? syntax.definitions : byLines, language }
}
