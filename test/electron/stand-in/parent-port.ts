import { EventEmitter } from 'node:events'

// Loaded into a utility process before its own module: `process.parentPort` is the only way to the app.

const send = process.send?.bind(process)
const port = new EventEmitter()
// As in Electron, messages wait for a listener.
port.once('newListener', () =>
  process.on('message', (data) => setImmediate(() => port.emit('message', { data, ports: [] }))),
)
process.on('disconnect', () => process.exit(0))
delete process.send
Object.assign(process, {
  type: 'utility',
  parentPort: Object.assign(port, { postMessage: (message: unknown) => send?.(message) }),
})
