import { registerHooks, syncBuiltinESMExports } from 'node:module'
import workerThreads, { type Worker } from 'node:worker_threads'

// Loaded with --import before main.js: from then on `electron` is the stand-in, for main.js and for every package alike.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context),
})
// Keeps the worker threads that the app starts, so that a test can end one as a fault would.
const workers = new Set<Worker>()
const started = workerThreads.Worker
class KeptWorker extends started {
  constructor(...options: ConstructorParameters<typeof started>) {
    super(...options)
    workers.add(this)
    this.once('exit', () => workers.delete(this))
  }
}
workerThreads.Worker = KeptWorker
syncBuiltinESMExports()
const endOneWorker = (): Promise<number> => {
  const [worker] = workers
  if (!worker) throw new Error('The app has no worker thread now.')
  return worker.terminate()
}
Object.assign(process, { endOneWorker })
Object.assign(process, { type: 'browser', resourcesPath: process.env['STAND_IN_RESOURCES'] ?? '' })
