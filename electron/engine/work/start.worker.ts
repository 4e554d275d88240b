import { enableCompileCache } from 'node:module'
import { workerData } from 'node:worker_threads'
import type { ThreadData } from './pool-thread.ts'

const { compiledCode, jobs } = workerData as ThreadData
// Before anything else is loaded: compiling it takes a fifth of a thread's start.
if (compiledCode !== undefined) enableCompileCache(compiledCode)
await import(/* @vite-ignore */ jobs)
