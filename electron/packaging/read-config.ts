import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Configuration } from 'electron-builder'
import { parse } from 'yaml'

export const projectFolder = resolve(import.meta.dirname, '../..')

export const readConfig = (): Configuration =>
  parse(readFileSync(resolve(projectFolder, 'electron-builder.yml'), 'utf8')) as Configuration
