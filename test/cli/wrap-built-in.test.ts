import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runHere } from '../helpers/run-here.ts'
import { temporaryFolder } from '../helpers/temporary-folder.ts'

/** A home with one file; commands run there. */
function home(path: string, text?: string) {
  const folder = temporaryFolder()
  const file = join(folder, path)
  if (text !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const run = (...args: string[]) =>
    runHere(['--data-dir', join(folder, 'data'), ...args], {
      env: { HOME: folder, CLAUDE_CONFIG_DIR: '', CODEX_HOME: '', COPILOT_HOME: '', XDG_CONFIG_HOME: '' },
    })
  return { file, run, read: () => readFileSync(file, 'utf8') }
}

const ODD = `{
\t// my settings
\t"model" : "opus",   /* why not */
\t"hooks": {
\t\t"PostToolUse": [
\t\t\t{ "matcher": "Edit|Write", "hooks": [ { "type": "command", "command": "prettier --write" } ] },   // tidy
\t\t],
\t\t"Stop": [{"hooks":[{"type":"command","command":"say done"}]}]
\t},
}
`

describe('sluice wrap claude-code --built-in', () => {
  it('adds hooks after those of the user, and unwrap gives every byte back', async () => {
    const { file, run, read } = home('.claude/settings.json', ODD)
    const done = await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(done).toMatchObject({ code: 0, stderr: '' })
    // A token opens the engine's hooks: it isn't for the terminal.
    expect(done.stdout).not.toMatch(/Bearer [\w-]{10}/)
    expect(done.stdout).toContain('"Bash(')
    const text = read()
    expect(text).toContain('// my settings')
    expect(text).toContain('{ "matcher": "Edit|Write"')
    expect(text.indexOf('prettier')).toBeLessThan(text.indexOf('/hook/claude-code/PostToolUse'))
    expect(text).toMatch(/"Authorization": "Bearer [\w-]{43}"/)
    const again = await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(again.stdout).toContain('There is nothing to change.')
    expect((await run('unwrap', 'claude-code', '--built-in', '--yes')).stdout).toContain('Every byte')
    expect(readFileSync(file, 'utf8')).toBe(ODD)
  })

  it('takes only its own out of a file that was edited since', async () => {
    const { file, run, read } = home('.claude/settings.json', ODD)
    await run('wrap', 'claude-code', '--built-in', '--yes')
    writeFileSync(file, read().replace('"opus"', '"sonnet"'))
    const undone = await run('unwrap', 'claude-code', '--built-in', '--yes')
    expect(undone.stdout).toContain("Only Sluice's own entries go.")
    expect(read()).toBe(ODD.replace('"opus"', '"sonnet"'))
  })

  it('creates a file where there is none, and removes it again', async () => {
    const { file, run } = home('.claude/settings.json')
    await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('hooks.UserPromptSubmit')
    await run('unwrap', 'claude-code', '--built-in', '--yes')
    expect(existsSync(file)).toBe(false)
  })

  it('says which hooks are without effect, and why, until they work', async () => {
    const { file, run, read } = home('.claude/settings.json', '{ "disableAllHooks": true }')
    expect((await run('wrap', 'claude-code', '--built-in', '--yes')).stdout).toContain(
      `Not in effect yet: Claude Code runs no hooks: disableAllHooks is true in ${file}.`,
    )
    const advice = async () => (await run('doctor', '--offline')).stdout
    expect(await advice()).toContain('disableAllHooks is true')
    writeFileSync(file, read().replace('true', 'false'))
    expect(await advice()).not.toContain('disableAllHooks')
    // Another port than the one that the hooks call.
    const data = join(dirname(dirname(file)), 'data')
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'config.json'), '{ "http": { "port": 7999 } }', { mode: 0o600 })
    expect(await advice()).toMatch(/Claude Code's hooks call port 7424, and Sluice listens at 7999/)
    const again = await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(again.stdout).not.toContain('Not in effect')
    expect(read()).not.toContain(':7424/')
    expect(await advice()).not.toContain('hooks')
  })

  it("names another product's hook and leaves its tools out, unless told otherwise", async () => {
    const other =
      '{"hooks":{"PostToolUse":[{"matcher":"Ba.*","hooks":[{"type":"command","command":"rtk filter"}]}]}}'
    const { run, read } = home('.claude/settings.json', other)
    const seen = await run('wrap', 'claude-code', '--built-in', '--dry-run')
    expect(seen.stdout).toContain("Bash: left out, because another product's hook answers there (rtk filter)")
    expect(read()).toBe(other)
    await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(read()).not.toContain('Bash|')
    await run('wrap', 'claude-code', '--built-in', '--insist', '--yes')
    expect(read()).toContain('Bash|PowerShell')
    expect(read().match(/PostToolUse"/g)).toHaveLength(2)
    expect((await run('unwrap', 'claude-code', '--built-in', '--yes')).stdout).toContain('Every byte')
    expect(read()).toBe(other)
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\n'],
    ['a comment', '// later\n'],
  ])('writes into a file with %s, and gives it back', async (_, text) => {
    const { run, read } = home('.claude/settings.json', text)
    expect(await run('wrap', 'claude-code', '--built-in', '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(read()).toContain('/hook/claude-code/PostToolUse')
    expect(read().startsWith(text)).toBe(true)
    await run('unwrap', 'claude-code', '--built-in', '--yes')
    expect(read()).toBe(text)
  })

  it("leaves a hook of the user's in a group of Sluice's, and one whose command only resembles its own", async () => {
    const other =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"node /x/cli.js hook pre Bash"}]}]}}'
    const { file, run, read } = home('.claude/settings.json', other)
    await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(read()).toContain('/x/cli.js')
    const mine = '{ "type": "command", "command": "./mine.sh" }'
    writeFileSync(
      file,
      read().replace(/(claude-code\/(?:PreCompact|PostToolUse)".*?\} \})\]/g, `$1, ${mine}]`),
    )
    expect(read().split(mine)).toHaveLength(3)
    expect((await run('wrap', 'claude-code', '--built-in', '--yes')).stdout).toContain('(./mine.sh)')
    expect(read().split(mine)).toHaveLength(3)
    await run('unwrap', 'claude-code', '--built-in', '--yes')
    expect(read()).toContain('/x/cli.js')
    expect(read().split(mine)).toHaveLength(3)
    expect(read()).not.toContain('/hook/claude-code')
  })

  it('changes nothing without a yes, and nothing in a file that it can not read', async () => {
    const { run, read } = home('.claude/settings.json', ODD)
    expect((await run('wrap', 'claude-code', '--built-in')).code).toBe(2)
    expect(read()).toBe(ODD)
    const broken = home('.claude/settings.json', '{ "hooks": ')
    const failed = await broken.run('wrap', 'claude-code', '--built-in', '--yes')
    expect(failed.stderr).toMatch(/settings\.json:1:\d+ is not valid JSON/)
    const odd = home('.claude/settings.json', '{"hooks": []}')
    expect((await odd.run('wrap', 'claude-code', '--built-in', '--yes')).stderr).toContain(
      "a form that isn't known",
    )
    expect(odd.read()).toBe('{"hooks": []}')
  })
})

describe('the other apps', () => {
  it.each([
    ['codex', '.codex/hooks.json'],
    ['gemini-cli', '.gemini/settings.json'],
    ['copilot-cli', '.copilot/hooks/sluice.json'],
    ['opencode', '.config/opencode/plugins/sluice.js'],
    ['cursor', '.cursor/hooks.json'],
  ])('%s gets its hooks and loses them again', async (app, path) => {
    const { file, run } = home(path)
    expect(await run('wrap', app, '--built-in', '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(readFileSync(file, 'utf8')).toMatch(/\bhook\b/)
    expect((await run('wrap', app, '--built-in', '--yes')).stdout).toContain('There is nothing to change.')
    expect(await run('unwrap', app, '--built-in', '--yes')).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['codex', '.codex/hooks.json', '{"hooks":{"PostToolUse":[{"matcher":"apply_patch","hooks":[]}]}}'],
    ['gemini-cli', '.gemini/settings.json', '{ "mcpServers": {}, "hooks": { } }\n'],
    ['cursor', '.cursor/hooks.json', '{"version": 1,\n "hooks": {"stop": [{"command": "./done.sh"}]}}'],
  ])('%s: what the user has stays, byte for byte', async (app, path, text) => {
    const { run, read } = home(path, text)
    await run('wrap', app, '--built-in', '--yes')
    expect(Object.keys(JSON.parse(read()) as object)).toEqual(Object.keys(JSON.parse(text) as object))
    expect(read()).toContain(`hook ${app}`)
    await run('unwrap', app, '--built-in', '--yes')
    expect(read()).toBe(text)
  })

  it.each([
    ['qwen-code', '.qwen/settings.json', /"UserPromptSubmit"[^]* hook qwen-code UserPromptSubmit"/],
    ['windsurf', '.codeium/windsurf/hooks.json', /"pre_user_prompt"[^]* hook windsurf pre_user_prompt"/],
    ['cline', 'Documents/Cline/Hooks/UserPromptSubmit', /exec .* hook cline UserPromptSubmit\n/],
  ])('%s gets nothing written, but what to add where', async (app, path, text) => {
    const { file, run } = home(path)
    const { code, stdout } = await run('wrap', app, '--built-in', '--yes')
    expect([code, existsSync(file)]).toEqual([0, false])
    expect(stdout).toContain(path)
    expect(stdout).toMatch(text)
  })

  it('an app without such hooks is named', async () => {
    expect((await home('x').run('wrap', 'zed', '--built-in', '--yes')).stderr).toContain(
      'The own tools of "zed"',
    )
  })
})

describe('a plugin of Claude Code', () => {
  it('carries the same hooks and the entry, and edits nothing of the user', async () => {
    const { file, run } = home('plugin/hooks/hooks.json')
    const folder = dirname(dirname(file))
    const written = await run('wrap', 'claude-code', '--built-in', '--plugin', folder)
    expect(written).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(join(folder, '..', '.claude'))).toBe(false)
    const part = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'))
    expect(part('.claude-plugin', 'plugin.json')).toHaveProperty('name', 'sluice')
    expect(part('.mcp.json')).toMatchObject({
      mcpServers: { sluice: { args: expect.arrayContaining(['connect', '--client', 'claude-code']) } },
    })
    expect(statSync(file).mode & 0o077).toBe(0)
    await run('wrap', 'claude-code', '--built-in', '--yes')
    expect(part('hooks', 'hooks.json')).toEqual({
      hooks: (part('..', '.claude', 'settings.json') as { hooks: unknown }).hooks,
    })
    // Again, as after a change of the port.
    expect((await run('wrap', 'claude-code', '--built-in', '--plugin', folder)).code).toBe(0)
  })

  it('leaves the folders of others alone, and is for Claude Code only', async () => {
    const { file, run, read } = home('mine/.claude-plugin/plugin.json', '{"name":"mine"}')
    const folder = dirname(dirname(file))
    const refused = await run('wrap', 'claude-code', '--built-in', '--plugin', folder)
    expect(refused.stderr).toContain("isn't a plugin of Sluice's, so nothing was written")
    expect(read()).toBe('{"name":"mine"}')
    const other = await run('wrap', 'codex', '--built-in', '--plugin', `${folder}2`)
    expect(other.stderr).toContain('Only Claude Code takes a plugin folder')
  })
})
