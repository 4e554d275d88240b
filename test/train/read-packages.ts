import { globSync, readFileSync } from 'node:fs'
import type { LabelledText } from './labelled-text.ts'
import type { Random } from './phrase-maker.ts'
import { ordinary } from './read-cases.ts'

const MODULES = new URL('../../node_modules/', import.meta.url)

/** Installed packages under MIT or Apache-2.0 whose documentation and source are ordinary training text. */
export const PACKAGES = [
  '@hono/node-server',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/server',
  '@modelcontextprotocol/server-everything',
  '@modelcontextprotocol/server-filesystem',
  '@modelcontextprotocol/server-memory',
  '@vitejs/plugin-vue',
  'accepts',
  'acorn',
  'ajv',
  'ajv-formats',
  'body-parser',
  'chalk',
  'chokidar',
  'commander',
  'content-type',
  'cookie',
  'cors',
  'cross-spawn',
  'debug',
  'eventsource',
  'eventsource-parser',
  'express',
  'express-rate-limit',
  'fast-check',
  'finalhandler',
  'gpt-tokenizer',
  'hono',
  'htmlparser2',
  'iconv-lite',
  'jose',
  'jsonc-parser',
  'kysely',
  'magic-string',
  'mcporter',
  'mime-types',
  'ms',
  'path-to-regexp',
  'pkce-challenge',
  'playwright-core',
  'postcss',
  'quickjs-emscripten-core',
  'raw-body',
  're2js',
  'rolldown',
  'safer-buffer',
  'send',
  'serve-static',
  'tinybench',
  'tinyexec',
  'tinyglobby',
  'typescript',
  'undici',
  'vite',
  'vitest',
  'vscode-uri',
  'vue',
  'ws',
  'zod',
] as const

const PIECE = 3000
const PIECES_PER_FILE = 3
const FILES_PER_PACKAGE = 14

/** Pieces of documentation and source; skips packages that are missing or changed their licence. */
export function readPackages(random: Random): LabelledText[] {
  return PACKAGES.flatMap((name) => {
    const folder = new URL(`${name}/`, MODULES)
    const licence = licenceOf(folder)
    if (licence !== 'MIT' && licence !== 'Apache-2.0') {
      process.stderr.write(`Left out: ${name} (${licence ?? 'not installed'}).\n`)
      return []
    }
    const files = globSync(['*.md', '{docs,lib,dist,src}/**/*.{md,js,mjs,ts}'], { cwd: folder })
      .filter((file) => !/node_modules|licen[cs]e|\.min\./i.test(file))
      .sort()
    const step = Math.max(1, Math.floor(files.length / FILES_PER_PACKAGE))
    return files
      .filter((file, index) => file.endsWith('.md') || index % step === 0)
      .slice(0, FILES_PER_PACKAGE * 2)
      .flatMap((file) =>
        piecesOf(readFileSync(new URL(file, folder), 'utf8'), random).map((text) =>
          ordinary(file.endsWith('.md') ? 'package documentation' : 'package source', text),
        ),
      )
  })
}

function licenceOf(folder: URL): string | undefined {
  try {
    const manifest: { license?: unknown } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
    if (manifest.license === 'SEE LICENSE IN LICENSE') return readLicence(folder)
    return typeof manifest.license === 'string' ? manifest.license : undefined
  } catch {
    return undefined
  }
}

/** The MCP project's packages name their licence only in their texts; they are moving from MIT to Apache-2.0. */
function readLicence(folder: URL): string | undefined {
  const files = globSync(['LICENSE*', 'README.md'], { cwd: folder })
  const text = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n')
  return /licensed under the (?:MIT|Apache)|transition from the MIT License to the Apache License/i.test(text)
    ? 'MIT'
    : undefined
}

function piecesOf(text: string, random: Random): string[] {
  const count = Math.min(PIECES_PER_FILE, Math.ceil(text.length / PIECE))
  return Array.from({ length: count }, () => {
    const start = Math.floor(random() * Math.max(1, text.length - PIECE))
    return text.slice(start, start + PIECE)
  }).filter((piece) => piece.trim() !== '')
}
