import type { ToolSummary } from '../../shared/api/tools.ts'

/** As `files/read_file`; each part is encoded. */
export const toolKey = ({ server, tool }: Pick<ToolSummary, 'server' | 'tool'>): string =>
  `${encodeURIComponent(server)}/${encodeURIComponent(tool)}`
