import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { JsonObject } from '../../electron/engine/protocol/json-rpc.ts'
import { countTokens } from '../../electron/engine/text/tokens/count-tokens.ts'
import { slimTool } from '../../electron/engine/tools/slim/slim-tool.ts'
import { findProgram } from './program-of.ts'

export interface NpmServer {
  readonly package: string
  readonly version: string
  /** In the package. */
  readonly program: string
  readonly args?: readonly string[]
  /** Required at start; unused for listing tools. */
  readonly env?: Readonly<Record<string, string>>
}

/** Their tool lists are measured; the first four are dev dependencies. */
export const NPM_SERVERS: readonly NpmServer[] = [
  {
    package: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    program: 'mcp-server-memory',
  },
  {
    package: '@modelcontextprotocol/server-gitlab',
    version: '2025.4.25',
    program: 'mcp-server-gitlab',
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: 'none' },
  },
  { package: '@playwright/mcp', version: '0.0.83', program: 'playwright-mcp' },
  {
    package: '@hubspot/mcp-server',
    version: '0.4.0',
    program: 'mcp-hubspot',
    env: { PRIVATE_APP_ACCESS_TOKEN: 'none' },
  },
  {
    package: '@notionhq/notion-mcp-server',
    version: '2.5.2',
    program: 'notion-mcp-server',
    env: { NOTION_TOKEN: 'none' },
  },
  {
    package: 'mongodb-mcp-server',
    version: '3.0.4',
    program: 'mongodb-mcp-server',
    env: { MDB_MCP_TELEMETRY: 'disabled', MDB_MCP_CONNECTION_STRING: 'mongodb://127.0.0.1:1/none' },
  },
  { package: 'chrome-devtools-mcp', version: '1.11.0', program: 'chrome-devtools-mcp' },
  {
    package: '@modelcontextprotocol/server-github',
    version: '2025.4.8',
    program: 'mcp-server-github',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'none' },
  },
  {
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    program: 'mcp-server-filesystem',
    args: ['.'],
  },
  {
    package: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    program: 'mcp-server-everything',
  },
  { package: 'mcp-server-kubernetes', version: '4.1.7', program: 'mcp-server-kubernetes' },
  {
    package: '@modelcontextprotocol/server-slack',
    version: '2025.4.25',
    program: 'mcp-server-slack',
    env: { SLACK_BOT_TOKEN: 'none', SLACK_TEAM_ID: 'none' },
  },
  {
    package: 'firecrawl-mcp',
    version: '3.22.2',
    program: 'firecrawl-mcp',
    env: { FIRECRAWL_API_KEY: 'none' },
  },
  {
    package: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    program: 'mcp-server-sequential-thinking',
  },
  { package: '@upstash/context7-mcp', version: '4.1.1', program: 'context7-mcp' },
]

/** An installed server, or npm's. */
export async function toolsOfNpmServer(server: NpmServer): Promise<readonly JsonObject[]> {
  const installed = findProgram(server.package, server.program)
  const npx = ['--yes', '-p', `${server.package}@${server.version}`, server.program]
  const client = new Client({ name: 'lists-tools', version: '1.0.0' })
  try {
    await client.connect(
      new StdioClientTransport({
        command: installed === undefined ? 'npx' : process.execPath,
        args: [...(installed === undefined ? npx : [installed]), ...(server.args ?? [])],
        env: { ...(process.env as Record<string, string>), ...server.env },
        stderr: 'ignore',
      }),
      // npx downloads it first.
      { timeout: 300_000 },
    )
    const { tools } = await client.listTools()
    return tools
  } finally {
    await client.close()
  }
}

/** As clients give tools to models. */
export const asModelsSee = ({ name, description, inputSchema }: JsonObject): string =>
  JSON.stringify({ name, description, inputSchema })

/** Whole and slim, with costs in tokens (o200k_base). */
export function slimFigures(tools: readonly JsonObject[]) {
  const heard = new Set<string>()
  const slim = tools.map((tool) => slimTool(tool, heard))
  const [before, after] = [tools, slim].map((list) =>
    list.reduce((sum, tool) => sum + countTokens(asModelsSee(tool)), 0),
  ) as [number, number]
  return { slim, before, after, less: 1 - after / before }
}
