/** `node test/docs/write-settings.ts`: writes the tables of docs/settings.md from the schema. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingsTables } from './settings-document.ts'

const START = '<!-- from the schema: node test/docs/write-settings.ts -->'
const END = '<!-- end -->'
const path = join(import.meta.dirname, '../../docs/settings.md')

const text = readFileSync(path, 'utf8')
const [before = ''] = text.split(START)
const [, after = ''] = text.split(END)
writeFileSync(path, `${before}${START}\n\n${settingsTables()}\n\n${END}${after}`)
