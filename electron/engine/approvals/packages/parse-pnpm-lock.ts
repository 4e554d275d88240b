import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

/** The library has seventy files, which every start would load for the few servers that pnpm runs. */
export const parsePnpmLock = (text: string): unknown => (require('yaml') as typeof Yaml).parse(text)
