import type { ToolStatus } from '../../shared/api/tools.ts'

/** Names a tool in addresses, as `files/read_file`; each part is encoded. */
export const toolKey = ({ server, tool }: Pick<ToolStatus, 'server' | 'tool'>): string =>
  `${encodeURIComponent(server)}/${encodeURIComponent(tool)}`

/** Whether the user decided anything for this tool alone. */
export const isEdited = ({ settings }: Pick<ToolStatus, 'settings'>): boolean =>
  Object.keys(settings).length > 0
