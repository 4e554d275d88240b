import { registerHooks, syncBuiltinESMExports } from 'node:module'
import workerThreads, { type Worker } from 'node:worker_threads'

// Loaded with --import before main.js: `electron` is then the stand-in, for main.js and all packages.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context),
})
// Records the app's worker threads, so that a test can terminate one.
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
