import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

/** Loaded lazily: seventy files for the few servers run by pnpm. */
export const parsePnpmLock = (text: string): unknown => (require('yaml') as typeof Yaml).parse(text)
