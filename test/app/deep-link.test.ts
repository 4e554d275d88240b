import { describe, expect, it } from 'vitest'
import { linkIn, parseLink, routeOfLink } from '../../electron/app/deep-link.ts'

const snippetOf = (route: string): unknown =>
  JSON.parse(new URLSearchParams(route.split('?')[1]).get('snippet') ?? '')

describe('links', () => {
  it('name a program with its arguments, one by one', () => {
    const parsed = parseLink('sluice://add?name=files&command=npx&arg=-y&arg=a%20b%3Bc&env=TOKEN')
    if (!parsed.ok) throw new Error(parsed.why)
    expect(snippetOf(routeOfLink(parsed.link))).toEqual({
      mcpServers: { files: { command: 'npx', args: ['-y', 'a b;c'], env: { TOKEN: '${env:TOKEN}' } } },
    })
  })

  it('name an address', () => {
    const parsed = parseLink('sluice://add/?name=docs&url=https://example.com/mcp')
    if (!parsed.ok) throw new Error(parsed.why)
    expect(snippetOf(routeOfLink(parsed.link))).toEqual({
      mcpServers: { docs: { url: 'https://example.com/mcp' } },
    })
  })

  it.each([
    ['', "isn't a valid address"],
    ['sluice:', 'Links look like'],
    ['https://add?name=x&command=npx', 'Links look like'],
    ['sluice://remove?name=x', 'Links look like'],
    ['sluice://add?name=x', 'either a command or'],
    ['sluice://add?name=x&command=npx&url=https://e.com', 'either a command or'],
    ['sluice://add?name=sluice&command=npx', "are Sluice's own"],
    ['sluice://add?name=a__b&command=npx', 'letters'],
    ['sluice://add?name=x&url=http://example.com', 'url'],
    ['sluice://add?name=x&url=javascript:alert(1)', 'url'],
    ['sluice://add?name=x&url=file:///etc/passwd', 'url'],
    ['sluice://add?name=x&command=sh', 'shell'],
    ['sluice://add?name=x&command=/bin/bash', 'shell'],
    ['sluice://add?name=x&command=C:%5CWindows%5Csystem32%5Ccmd.exe', 'shell'],
    ['sluice://add?name=x&command=PowerShell', 'shell'],
    ['sluice://add?name=x&command=env', 'shell'],
    ['sluice://add?name=x&command=npx;rm', 'one program'],
    ['sluice://add?name=x&command=$(id)', 'one program'],
    ['sluice://add?name=x&command=a%0Ab', 'one program'],
    ['sluice://add?name=x&command=npx&arg=%E2%80%AEgnp', 'Hidden characters'],
    ['sluice://add?name=x&command=npx&env=A=B', 'Only names'],
    ['sluice://add?name=x&url=https://e.com&arg=1', 'neither arguments'],
    ['sluice://add?name=x&command=npx&shell=true', 'not known'],
    [`sluice://add?name=x&command=npx&arg=${'a'.repeat(9000)}`, "isn't a valid address"],
  ])('refuses %s', (text, why) => {
    const parsed = parseLink(text)
    expect(parsed.ok ? 'taken' : parsed.why).toContain(why)
  })

  it('is the last argument that looks like one', () => {
    expect(linkIn(['--hidden', 'SLUICE://add?x', '--flag'])).toBe('SLUICE://add?x')
    expect(linkIn(['--data-dir', '/sluice'])).toBeUndefined()
  })
})
