import { writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { bundledFolders, readBundledModels } from '../../../electron/engine/models/bundled-models.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'

const root = resolve('/opt/Slu ice')
const inside = (...parts: string[]): string => join(root, ...parts) + sep

it('looks for the model of a packed app beside its archive, where the packager puts it', () => {
  const packed = [pathToFileURL(inside('resources/app.asar/resources'))]
  expect(bundledFolders(packed)).toEqual([
    inside('resources/app.asar/resources/models'),
    inside('resources/models'),
  ])
})

it('looks nowhere outside of a checkout', () => {
  expect(bundledFolders([pathToFileURL(inside('resources'))])).toEqual([inside('resources/models')])
})

it('reads what the packager wrote, and offers no file that is cut, gone, or elsewhere', () => {
  const folder = temporaryFolder()
  const missing = join(folder, 'missing')
  const model = { id: 'small', name: 'Small', file: 'small.gguf', bytes: 4, sha256: 'a'.repeat(64) }
  const index = join(folder, 'bundled.json')
  const write = (models: readonly object[]): void => writeFileSync(index, JSON.stringify({ models }))
  write([{ ...model, contextTokens: 2048 }])
  expect(readBundledModels([missing, folder])).toEqual([])
  const path = join(folder, 'small.gguf')
  writeFileSync(path, 'GGUF')
  expect(readBundledModels([missing, folder])).toEqual([{ ...model, contextTokens: 2048, path }])
  writeFileSync(path, 'GGU')
  expect(readBundledModels([folder])).toEqual([])
  write([{ ...model, contextTokens: 2048, file: '../small.gguf' }])
  expect(() => readBundledModels([folder])).toThrow(/bundled\.json, can't be read: .*Install Sluice again/s)
})
