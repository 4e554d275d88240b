import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ServerSettings } from '../../../shared/settings.ts'

/** `restore` of its server resets everything. */
export interface OfficialCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** For tools that some clients can't call directly: replaces the error through Sluice. */
  readonly throughOnly?: RegExp
}

export interface OfficialServer {
  readonly id: string
  readonly settings: ServerSettings
  /** At least one per listed tool. */
  readonly calls: readonly OfficialCall[]
  /** Need a model of the client, which none has here. */
  readonly uncalled?: readonly string[]
  /** Resets the server's files, so that each run meets the same state. */
  restore(): void
}

/** Started by path, without launcher. */
function entryOf(name: string): string {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)
  return join(dirname(manifest), 'dist/index.js')
}

const start = (name: string, ...args: string[]): ServerSettings => ({
  command: process.execPath,
  args: [entryOf(name), ...args],
})

/** server-everything, server-filesystem and server-memory on files below `folder`, for this client. */
export function officialServers(folder: string, client: string): OfficialServer[] {
  return [everything(client), filesystem(join(folder, 'files')), memory(join(folder, 'memory.jsonl'))]
}

/**
 * It lists some tools only for certain capabilities, so each client needs its own server for approvals: otherwise
 * only the first client's listing would be approved.
 */
function everything(client: string): OfficialServer {
  return {
    id: 'everything',
    settings: {
      ...start('server-everything', 'stdio'),
      env: { [`STARTED_FOR_${client.toUpperCase()}`]: 'yes' },
    },
    restore: () => {},
    uncalled: ['trigger-sampling-request', 'trigger-sampling-request-async'],
    calls: [
      { tool: 'echo', args: { message: 'Grüße, 世界 👋' } },
      { tool: 'get-annotated-message', args: { messageType: 'error', includeImage: true } },
      { tool: 'get-annotated-message', args: { messageType: 'debug' } },
      { tool: 'get-env', args: {} },
      { tool: 'get-resource-links', args: { count: 4 } },
      { tool: 'get-resource-reference', args: { resourceType: 'Text', resourceId: 7 } },
      { tool: 'get-structured-content', args: { location: 'Chicago' } },
      { tool: 'get-sum', args: { a: 2.5, b: -40 } },
      { tool: 'get-sum', args: { a: 'two' } },
      { tool: 'get-tiny-image', args: {} },
      {
        tool: 'gzip-file-as-resource',
        args: { name: 'hello.gz', data: 'data:text/plain;base64,aGVsbG8gd29ybGQ=', outputType: 'resource' },
      },
      { tool: 'toggle-simulated-logging', args: {} },
      { tool: 'toggle-subscriber-updates', args: {} },
      { tool: 'trigger-long-running-operation', args: { duration: 0.2, steps: 4 } },
      { tool: 'get-roots-list', args: {} },
      // A task only, which Sluice awaits for clients without tasks.
      {
        tool: 'simulate-research-query',
        args: { topic: 'proxies' },
        throughOnly: /# Research Report: proxies/,
      },
    ],
  }
}

const NOTES = 'first line\nsecond line\nthird line\n'
const LONG_AGO = new Date('2026-01-02T03:04:05Z')

function filesystem(folder: string): OfficialServer {
  const at = (...names: string[]): string => join(folder, ...names)
  const put = (path: string, text: string | Buffer): void => {
    writeFileSync(path, text)
    utimesSync(path, LONG_AGO, LONG_AGO)
  }
  return {
    id: 'filesystem',
    settings: start('server-filesystem', folder),
    restore: () => {
      rmSync(at('moved.txt'), { force: true })
      mkdirSync(at('made', 'before'), { recursive: true })
      put(at('notes.txt'), NOTES)
      put(at('made', 'moving.txt'), 'here and there')
      put(at('made', 'written.txt'), 'old')
      put(at('pixel.gif'), Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAACAkQBADs=', 'base64'))
    },
    calls: [
      { tool: 'read_file', args: { path: at('notes.txt') } },
      { tool: 'read_text_file', args: { path: at('notes.txt'), tail: 1 } },
      { tool: 'read_text_file', args: { path: at('no-such-file.txt') } },
      { tool: 'read_media_file', args: { path: at('pixel.gif') } },
      { tool: 'read_multiple_files', args: { paths: [at('notes.txt'), at('missing.txt')] } },
      { tool: 'write_file', args: { path: at('made', 'written.txt'), content: 'new\n' } },
      {
        tool: 'edit_file',
        args: { path: at('notes.txt'), edits: [{ oldText: 'second', newText: 'zweite' }] },
      },
      { tool: 'create_directory', args: { path: at('made', 'again') } },
      { tool: 'list_directory', args: { path: folder } },
      { tool: 'list_directory_with_sizes', args: { path: folder, sortBy: 'size' } },
      { tool: 'directory_tree', args: { path: folder } },
      {
        tool: 'move_file',
        args: { source: at('made', 'moving.txt'), destination: at('moved.txt') },
      },
      { tool: 'search_files', args: { path: folder, pattern: '**/*.txt' } },
      { tool: 'get_file_info', args: { path: at('notes.txt') } },
      { tool: 'list_allowed_directories', args: {} },
      { tool: 'read_file', args: { path: '/etc/hostname' } },
    ],
  }
}

const GRAPH = [
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['writes programs'] },
  { type: 'entity', name: 'Engine', entityType: 'machine', observations: ['computes'] },
  { type: 'relation', from: 'Ada', to: 'Engine', relationType: 'programs' },
]

function memory(file: string): OfficialServer {
  return {
    id: 'memory',
    settings: { ...start('server-memory'), env: { MEMORY_FILE_PATH: file } },
    restore: () => writeFileSync(file, GRAPH.map((line) => JSON.stringify(line)).join('\n')),
    calls: [
      {
        tool: 'create_entities',
        args: { entities: [{ name: 'Bob', entityType: 'person', observations: ['tests'] }] },
      },
      {
        tool: 'create_relations',
        args: { relations: [{ from: 'Engine', to: 'Ada', relationType: 'obeys' }] },
      },
      {
        tool: 'add_observations',
        args: { observations: [{ entityName: 'Ada', contents: ['was first'] }] },
      },
      {
        tool: 'add_observations',
        args: { observations: [{ entityName: 'Nobody', contents: ['is not there'] }] },
      },
      { tool: 'delete_entities', args: { entityNames: ['Engine'] } },
      {
        tool: 'delete_observations',
        args: { deletions: [{ entityName: 'Ada', observations: ['writes programs'] }] },
      },
      {
        tool: 'delete_relations',
        args: { relations: [{ from: 'Ada', to: 'Engine', relationType: 'programs' }] },
      },
      { tool: 'read_graph', args: {} },
      { tool: 'search_nodes', args: { query: 'ada' } },
      { tool: 'open_nodes', args: { names: ['Engine'] } },
    ],
  }
}
