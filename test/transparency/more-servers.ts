import type { NpmServer } from '../helpers/npm-servers.ts'

/** Further npm servers to compare: by other makers, and with SDKs from 1.0 on. */
export const MORE_SERVERS: readonly NpmServer[] = [
  { package: '@eslint/mcp', version: '0.3.13', program: 'mcp' },
  { package: '@drawio/mcp', version: '1.6.1', program: 'drawio-mcp' },
  { package: '@antv/mcp-server-chart', version: '0.9.10', program: 'mcp-server-chart' },
  {
    package: 'figma-developer-mcp',
    version: '0.13.2',
    program: 'figma-developer-mcp',
    args: ['--stdio'],
    env: { FIGMA_API_KEY: 'none' },
  },
  { package: 'tavily-mcp', version: '0.2.22', program: 'tavily-mcp', env: { TAVILY_API_KEY: 'none' } },
  { package: 'exa-mcp-server', version: '3.4.1', program: 'exa-mcp-server', env: { EXA_API_KEY: 'none' } },
  {
    package: '@brave/brave-search-mcp-server',
    version: '2.1.4',
    program: 'brave-search-mcp-server',
    env: { BRAVE_API_KEY: 'none' },
  },
  { package: '@cyanheads/git-mcp-server', version: '2.15.3', program: 'git-mcp-server' },
  {
    package: 'airtable-mcp-server',
    version: '1.14.0',
    program: 'airtable-mcp-server',
    env: { AIRTABLE_API_KEY: 'none' },
  },
  { package: '@kazuph/mcp-taskmanager', version: '1.1.1', program: 'mcp-taskmanager' },
  { package: '@itseasy21/mcp-knowledge-graph', version: '1.0.7', program: 'mcp-knowledge-graph' },
  { package: 'mcp-mermaid', version: '0.4.1', program: 'mcp-mermaid' },
]
