/** `NAME=value`. */
const VARIABLE = /^[A-Za-z_]\w*=/
/** Programs that start what their arguments name. */
export const RUNS_ANOTHER =
  /^(?:npx|uvx|pipx|bunx|pnpm|yarn|npm|uv|docker|podman|node|bun|deno|python[\d.]*|py|cargo|go|java|dotnet|ruby|php|cmd|sh|bash)$/
const NOISE = /^(?:run|exec|dlx|x|tool|-m|-c|\/c|start|--from|with)$/

export const IMAGES = /^(?:docker|podman)$/
/** Have a value. */
const IMAGE_FLAG = /^-(?:e|v|p|u|w|-env|-volume|-mount|-name|-network|-platform|-workdir)$/
const FOLDER_FLAG = /^--(?:directory|project|python|cwd|prefix|with|env-file)$/

/** The packages, images or scripts of a command line. */
export const programsOf = (words: readonly string[]): readonly string[] => {
  const isImage = IMAGES.test(words[0] ?? '')
  return words.filter(
    (word, index) =>
      !word.startsWith('-') &&
      !NOISE.test(word) &&
      !VARIABLE.test(word) &&
      !(RUNS_ANOTHER.test(word) && index < 2) &&
      !(isImage ? IMAGE_FLAG : FOLDER_FLAG).test(words[index - 1] ?? ''),
  )
}

/** Of the package, image or script that it starts. */
export function nameOfLaunch(words: readonly string[]): string {
  const found = programsOf(words)[0] ?? words[0] ?? 'server'
  const parts = found.replace(/(?<=.)@[^@/]*$/, '').split(/[/\\]/)
  const plain = (part: string): string =>
    part
      .replace(/^@/, '')
      .replace(/:[^:]*$/, '')
      .replace(/\.(?:m?[jt]s|py|sh|jar|exe)$/, '')
      .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|_mcp|-server)$/g, '')
  // `@playwright/mcp` is playwright's.
  return parts.map(plain).findLast((part) => !/^(?:mcp|server|)$/.test(part)) ?? 'server'
}

/** `mcp.linear.app` → linear. */
export function nameOfAddress(address: string): string {
  const { hostname } = new URL(address)
  if (/^[\d.]+$|^localhost$|^\[/.test(hostname)) return 'server'
  const labels = hostname.split('.').slice(0, -1)
  return labels.findLast((label) => !/^(?:mcp|api|www|co|com)$/.test(label)) ?? labels[0] ?? 'server'
}
