import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { describe, expect, it } from 'vitest'
import { callThroughLauncher, runProgram } from './use-packed.ts'

// Wrapped clients with the packed app's program as Node; only where Electron's runtime is available.

const named = process.env['SLUICE_PACKED_PROGRAM']
const program = named === undefined ? undefined : resolve(named)
if (program === undefined) {
  console.warn(
    "The packed app's own program is not tried: name it in SLUICE_PACKED_PROGRAM, as the release workflow does",
  )
}

const AS_NODE = { ELECTRON_RUN_AS_NODE: '1' }

describe.skipIf(program === undefined)('the packed program', () => {
  const path = program ?? ''
  const resources = ['resources', '../Resources']
    .map((name) => resolve(dirname(path), name))
    .find((at) => existsSync(at))
  const cli = resolve(resources ?? '', 'app.asar/dist/electron/cli.js')

  it('runs the command line out of its archive', async () => {
    const { code, stdout, stderr } = await runProgram([path, cli], ['--version'], '', AS_NODE)
    expect(stdout, stderr).toMatch(/^\d+\.\d+\.\d+/)
    expect(code).toBe(0)
  })

  it('is hardened', async () => {
    const wire = await getCurrentFuseWire(path)
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(FuseState.DISABLE)
    expect(wire[FuseV1Options.EnableNodeCliInspectArguments]).toBe(FuseState.DISABLE)
  })

  it('is engine and launcher for a client', async () => {
    await callThroughLauncher([path, cli], AS_NODE)
  })
})
