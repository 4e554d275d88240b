import { fileURLToPath } from 'node:url'

/**
 * Where a model may lie that the installer brought: `models` in each of these resource folders and, for those in an archive,
 * beside the archive, because packagers put files there that are too large to be in it.
 */
export const bundledFolders = (resourceFolders: readonly URL[]): string[] =>
  resourceFolders
    .flatMap((folder) => [
      new URL('models/', folder),
      ...(folder.pathname.endsWith('.asar/resources/') ? [new URL('../../models/', folder)] : []),
    ])
    .map((folder) => fileURLToPath(folder))
