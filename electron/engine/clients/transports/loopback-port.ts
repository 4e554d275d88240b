import type { Server } from 'node:net'
import { createServer } from 'node:net'
import { SluiceError } from '../../ground/errors.ts'

const IPV4 = '127.0.0.1'
const IPV6 = '::1'
/** Above a taken port. */
const SEARCHED_PORTS = 50

/** With `ipv6` also on ::1 if available. */
export async function listenOnLoopback(create: () => Server, port: number, ipv6: boolean): Promise<number> {
  const taken = await listen(create(), port, IPV4)
  if (typeof taken !== 'number') throw await portTaken(port, taken)
  if (ipv6) await listen(create(), taken, IPV6)
  return taken
}

const listen = (server: Server, port: number, host: string): Promise<number | Error> =>
  new Promise((resolve) => {
    server.once('error', resolve)
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', resolve)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })

async function portTaken(port: number, cause: Error & { code?: string }): Promise<SluiceError> {
  if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES')
    return new SluiceError('PORT_TAKEN', `Port ${port} can't be opened: ${cause.message}`, { cause })
  const free = await nextFreePort(port)
  const advice =
    free === undefined
      ? 'Choose another one'
      : `Port ${free} is free: set "http": { "port": ${free} } in config.json`
  return new SluiceError(
    'PORT_TAKEN',
    `Port ${port} is taken by another program, perhaps by Sluice itself. ${advice}, or stop the other program.`,
    { cause, data: { port, ...(free === undefined ? {} : { freePort: free }) } },
  )
}

async function nextFreePort(port: number): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + SEARCHED_PORTS, 65_535); next++) {
    const probe = createServer()
    const found = await listen(probe, next, IPV4)
    if (typeof found !== 'number') continue
    await new Promise((resolve) => probe.close(resolve))
    return next
  }
  return undefined
}
