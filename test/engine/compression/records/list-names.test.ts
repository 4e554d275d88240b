import { expect, test } from 'vitest'
import { listNames } from '../../../../electron/engine/compression/records/list-names.ts'
import { findNaming } from '../../../../electron/engine/compression/records/naming.ts'
import { showRecords } from '../../../../electron/engine/compression/records/show-records.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'
import { groupByPath } from '../../../../electron/engine/text/tree/columns.ts'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'

const services = ['billing', 'catalogue', 'checkout', 'delivery', 'payment', 'search', 'stock', 'tax']

/** Two objects of each name, as a deployment of Kubernetes has them. */
const objects = services
  .flatMap((name, i) =>
    ['Deployment', 'Service'].map(
      (kind) =>
        `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  labels:\n    app: ${name}\nspec:\n` +
        Array.from({ length: 12 }, (_, k) => `  setting${k}: value ${i * 100 + k}\n`).join(''),
    ),
  )
  .join('---\n')

const namesOf = (text: string, budget: number): string => {
  const reading = readText(text)
  if (reading === undefined) throw new Error('not read')
  const leaves = findLeaves(reading.document, reading.format === 'json')
  return listNames(leaves, findNaming(leaves, groupByPath(leaves)), [], budget)
}

test('an overview names every object, also where several share a name', () => {
  const reading = readText(objects)
  const shown = reading && showRecords(reading, undefined, 400)
  for (const name of services) expect(`${shown?.text} ${shown?.omitted}`).toContain(name)
})

test('names are listed once, and only where most of them fit', () => {
  expect(namesOf(objects, 100)).toBe(`Not shown: ${services.join(', ')}`)
  expect(namesOf(objects, 16)).toBe('')
})

test('numbers and codes are no names worth listing', () => {
  const rows = Array.from({ length: 12 }, (_, i) => ({ id: 7000 + i * i, size: i }))
  expect(namesOf(JSON.stringify(rows), 500)).toBe('')
})

test('members of a map are named by their keys, and each list by its own', () => {
  const paths = services.map(
    (name) => `  /${name}:\n    get:\n      summary: Reads ${name}\n      operationId: read-${name}\n`,
  )
  const tags = ['public', 'internal', 'legacy', 'admin'].map((name) => `  - name: ${name}\n    group: a\n`)
  const listed = namesOf(`openapi: 3.1.0\ntags:\n${tags.join('')}paths:\n${paths.join('')}`, 100)
  expect(listed).toBe(`Not shown: tags: public, internal, legacy, admin; paths: /${services.join(', /')}`)
})
