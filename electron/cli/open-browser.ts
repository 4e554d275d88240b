import { spawn } from 'node:child_process'

export function openBrowser(url: URL, platform: NodeJS.Platform): void {
  const [command, ...args] = openerFor(platform)
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

function openerFor(platform: NodeJS.Platform): [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}
