import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { bundledFolders } from '../../../electron/engine/models/bundled-folders.ts'

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
