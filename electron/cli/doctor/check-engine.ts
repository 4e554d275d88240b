import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import { connect } from 'node:net'
import { findSocketAddress } from '../../engine/clients/transports/socket-address.ts'
import { whyNotOwn } from '../../engine/clients/transports/socket-owner.ts'
import { messageOf } from '../../engine/ground/errors.ts'
import type { CliContext } from '../cli-context.ts'
import type { Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'

export async function checkEngine(
  dataDir: string,
  port: number,
  { platform, tempDir }: CliContext,
): Promise<Finding[]> {
  const path = findSocketAddress({ dataDir, platform, tempDir })
  const foreign = whyNotOwn(path, platform)
  if (foreign !== undefined)
    return [
      problem(
        'engine',
        `What listens at ${path} may be another user's program: ${foreign}. Remove the folder, or choose another data folder with --data-dir.`,
      ),
    ]
  const reached = await reachEngine(path)
  if (reached === 'answers') {
    return [ok('engine', `One runs on this folder (${path}).`), ...checkSocketMode(path, platform)]
  }
  const findings: Finding[] = []
  if (reached === 'absent') {
    findings.push(
      ok(
        'engine',
        'None runs; `sluice connect` then hosts one for its client, `sluice serve` runs one for all.',
      ),
    )
  } else {
    findings.push(
      problem('engine', `${path} can't be reached: ${reached.error}. Check who owns it, or remove it.`),
    )
  }
  return [...findings, await checkPort(port)]
}

function checkSocketMode(path: string, platform: NodeJS.Platform): Finding[] {
  const stats = platform === 'win32' ? undefined : statSync(path, { throwIfNoEntry: false })
  if (!stats || (stats.mode & 0o077) === 0) return []
  return [warning('engine', `Other users can connect to ${path}. Stop the engine, then start it again.`)]
}

/** By its socket. */
export function reachEngine(path: string): Promise<'answers' | 'absent' | { error: string }> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve('answers')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = ['ENOENT', 'ENOTDIR', 'ECONNREFUSED'].includes(error.code ?? '')
      resolve(isAbsent ? 'absent' : { error: messageOf(error) })
    })
  })
}

function checkPort(port: number): Promise<Finding> {
  if (port === 0) return Promise.resolve(ok('port', 'Any free one is taken (http.port is 0).'))
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'Another program has it' : messageOf(error)
      resolve(
        problem(
          'port',
          `${why}: 127.0.0.1:${port}. Stop that program, or set another http.port in config.json.`,
        ),
      )
    })
    server.listen(port, '127.0.0.1', () =>
      server.close(() => resolve(ok('port', `127.0.0.1:${port} is free.`))),
    )
  })
}
