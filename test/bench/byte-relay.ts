/**
 * What a proxy of two processes costs at least: bytes through a local socket to a process that pipes them to the
 * server, and back. `node byte-relay.ts COMMAND ARGS…`.
 */
import { spawn } from 'node:child_process'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = 'BYTE_RELAY_SOCKET'
const [command = '', ...args] = process.argv.slice(2)
const socketPath = process.env[SOCKET]

if (socketPath === undefined) {
  const path = join(tmpdir(), `byte-relay-${process.pid}.sock`)
  const engine = spawn(process.execPath, process.argv.slice(1), {
    env: { ...process.env, [SOCKET]: path },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  engine.once('message', () => {
    const socket = connect(path)
    process.stdin.pipe(socket)
    socket.pipe(process.stdout)
    socket.on('close', () => process.exit(0))
  })
} else {
  createServer((socket) => {
    const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    socket.pipe(server.stdin)
    server.stdout.pipe(socket)
    socket.on('close', () => {
      server.kill()
      process.exit(0)
    })
  }).listen(socketPath, () => process.send?.('ready'))
}
