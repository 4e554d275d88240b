import { registerHooks } from 'node:module'

// Loaded with --import before main.js: from then on `electron` is the stand-in, for main.js and for every package alike.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron'
      ? { url: new URL('./electron.ts', import.meta.url).href, shortCircuit: true }
      : nextResolve(specifier, context),
})
Object.assign(process, { type: 'browser', resourcesPath: process.env['STAND_IN_RESOURCES'] ?? '' })
