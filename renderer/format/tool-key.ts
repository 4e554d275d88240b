import type { ToolStatus } from '../../shared/api/tools.ts'

/** As `files/read_file`; each part is encoded. */
export const toolKey = ({ server, tool }: Pick<ToolStatus, 'server' | 'tool'>): string =>
  `${encodeURIComponent(server)}/${encodeURIComponent(tool)}`

export const isEdited = ({ settings }: Pick<ToolStatus, 'settings'>): boolean =>
  Object.keys(settings).length > 0
