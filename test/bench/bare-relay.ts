/**
 * A minimal relay: parses each message line and writes it on, both ways. `node bare-relay.ts HOPS COMMAND ARGS…` puts
 * so many such processes before a server, as a baseline for what Sluice adds.
 */
import { spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { LineReader } from '../../electron/engine/protocol/line-reader.ts'

const [hops = '1', command = '', ...args] = process.argv.slice(2)
const next = Number(hops) - 1
const child =
  next > 0
    ? spawn(process.execPath, [import.meta.filename, String(next), command, ...args], { stdio: 'pipe' })
    : spawn(command, args, { stdio: 'pipe' })
child.stderr.pipe(process.stderr)

relay(process.stdin, child.stdin)
relay(child.stdout, process.stdout)
child.once('exit', (code) => process.exit(code ?? 1))

function relay(from: Readable, to: Writable): void {
  const reader = new LineReader({
    maxLineBytes: Number.POSITIVE_INFINITY,
    onLine: (line) => to.write(`${JSON.stringify(JSON.parse(line.toString()))}\n`),
    onOversized: () => {},
  })
  from.on('data', (chunk: Buffer) => reader.push(chunk))
  from.once('end', () => to.end())
}
