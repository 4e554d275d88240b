import { join } from 'node:path'

/** One call of the demo: a tool as at /mcp, and its description. */
export interface DemoCall {
  readonly what: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Real input only: this repository's files, its dependencies, and the demo's own log. */
export function demoCalls(root: string, logFile: string): DemoCall[] {
  const read = (what: string, path: string, goal?: string): DemoCall => ({
    what: goal === undefined ? what : `${what}, with a goal`,
    tool: 'files__read_text_file',
    args: { path, ...(goal === undefined ? {} : { _sluice_goal: goal }) },
  })
  const page = join(root, 'node_modules/mcporter/dist/docs-site/config.html')
  const source = join(root, 'electron/engine/protocol/peer.ts')
  return [
    {
      what: 'a small answer',
      tool: 'everything__echo',
      args: { message: 'Small results pass as they are.' },
    },
    { what: 'an image', tool: 'everything__get-tiny-image', args: {} },
    read('the lock file', join(root, 'package-lock.json')),
    {
      what: 'a directory tree',
      tool: 'files__directory_tree',
      args: { path: root, excludePatterns: ['node_modules', '.git', '.cache', 'dist'] },
    },
    {
      what: 'found files',
      tool: 'files__search_files',
      args: { path: root, pattern: '**/*.test.ts', excludePatterns: ['node_modules', '.git'] },
    },
    read('a page of HTML', page),
    read('a page of HTML', page, 'How are environment variables expanded in headers?'),
    read('a source file', source),
    read('a source file', source, 'What happens to requests in flight when the channel closes?'),
    read("the engine's debug log", logFile),
  ]
}
