import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Language, Parser, Query } from 'web-tree-sitter'
import { languages, type LanguageId } from './languages.ts'

export interface Grammar {
  readonly parser: Parser
  readonly query: Query
}

// One WebAssembly runtime per thread; grammars take 2 to 20 ms and stay loaded.
let runtime: Promise<void> | undefined
let ready = false
const loaded = new Map<LanguageId, Grammar | undefined>()

/**
 * Starts the tree-sitter runtime (about 10 ms per thread); then all strategies are synchronous. Without it, code is
 * outlined by lines. Await it before the first text, so that a thread's answers are consistent.
 */
export function prepareStrategies(): Promise<void> {
  runtime ??= start()
  return runtime
}

async function start(): Promise<void> {
  try {
    await Parser.init()
    ready = true
  } catch {
    // Without WebAssembly, lines outline the source.
  }
}

/** Undefined before prepareStrategies() or when loading fails. */
export function grammarOf(id: LanguageId): Grammar | undefined {
  if (!ready) return undefined
  if (!loaded.has(id)) loaded.set(id, load(id))
  return loaded.get(id)
}

// Node's types lack WebAssembly; the engine omits browser types.
const { Module } = Reflect.get(globalThis, 'WebAssembly') as { Module: new (bytes: Uint8Array) => object }

function load(id: LanguageId): Grammar | undefined {
  const { grammar, query } = languages[id]
  try {
    const file = createRequire(import.meta.url).resolve(
      `@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`,
    )
    const language = Language.loadSync(new Module(readFileSync(file)))
    const parser = new Parser()
    parser.setLanguage(language)
    return { parser, query: new Query(language, query) }
  } catch {
    return undefined
  }
}
