import { expect, it } from 'vitest'
import { requestedPackages } from '../../../../electron/engine/approvals/packages/requested-packages.ts'

it.each<[string, string, string[]]>([
  ['npx -y @scope/server /some/folder', 'npm', ['@scope/server']],
  ['npx @scope/server@latest', 'npm', ['@scope/server@latest']],
  ['npx --yes --package @scope/server server --flag', 'npm', ['@scope/server']],
  ['npx --package=@scope/server@^1 -c server', 'npm', ['@scope/server@^1']],
  ['npx --registry https://r.example -y -- @scope/server', 'npm', ['@scope/server']],
  ['npx -p zod -p @scope/server@2 server', 'npm', ['zod', '@scope/server@2']],
  ['npx.cmd server', 'npm', ['server']],
  ['/usr/bin/npx server', 'npm', ['server']],
  ['C:\\node\\npx.cmd server', 'npm', ['server']],
  ['npm exec -- server --port 1', 'npm', ['server']],
  ['npm exec --package=a --package=b -- cmd', 'npm', ['a', 'b']],
  ['npm x server', 'npm', ['server']],
  ['pnpm dlx server@1.2.3 -v', 'pnpm', ['server@1.2.3']],
  ['pnpm --package=a --package=b dlx cmd', 'pnpm', ['a', 'b']],
  ['pnpx server', 'pnpm', ['server']],
  ['bunx --bun server', 'bun', ['server']],
  ['bunx -p @scope/a cmd', 'bun', ['@scope/a']],
  ['bun x server', 'bun', ['server']],
  ['uvx mcp-server-git --repository /x', 'uv', ['mcp-server-git']],
  ['uvx -p 3.12 --from mcp-server-git==1.2 git-server', 'uv', ['mcp-server-git==1.2']],
  ['uvx --with httpx,rich server', 'uv', ['server', 'httpx', 'rich']],
  ['uv tool run --python 3.12 server@latest', 'uv', ['server@latest']],
  ['uvx.exe server', 'uv', ['server']],
  ['pipx run server==1.0', 'pipx', ['server==1.0']],
  ['pipx run --spec server==1.0 cmd --flag', 'pipx', ['server==1.0']],
])('%s asks for packages', (line, launcher, specifiers) => {
  const [command = '', ...args] = line.split(' ')
  expect(requestedPackages({ command, args })).toEqual({ launcher, specifiers })
})

it.each([
  'node server.js',
  'npm run server',
  'npm',
  'npx',
  'uv run server.py',
  'uv tool install x',
  'pipx install x',
  'bun server.ts',
  'pnpm start',
  'docker run npx',
])('%s asks for none', (line) => {
  const [command = '', ...args] = line.split(' ')
  expect(requestedPackages({ command, args })).toBeUndefined()
  expect(requestedPackages({ url: 'https://a.example' })).toBeUndefined()
})
