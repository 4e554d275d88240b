import { describe, expect, test } from 'vitest'
import { findLeaves } from '../../../../electron/engine/text/tree/find-leaves.ts'
import { valueOf } from '../../../../electron/engine/text/tree/json-document.ts'
import { findNamedCells } from '../../../../electron/engine/text/tree/named-cells.ts'
import { parseJson } from '../../../../electron/engine/text/tree/parse-json.ts'

/** Field names with the values under them. */
const namedIn = (value: unknown): [string, string][] => {
  const document = parseJson(JSON.stringify(value))!
  return [...(findNamedCells(document)?.names ?? [])].map(([node, name]) => [name, valueOf(document, node)])
}
const pair = (field: string, value: string) => ({ field, value })

describe('pairs of a name and a value', () => {
  const row = (id: string, ms: string) => [pair('requestId', id), pair('duration', ms)]
  const rows = { results: [row('a', '12'), row('b', '840'), row('c', '7')] }

  test('are fields of the record that they are in, where records share the names', () => {
    expect(namedIn(rows).slice(2, 4)).toEqual([
      ['requestId', 'b'],
      ['duration', '840'],
    ])
    const leaves = findLeaves(parseJson(JSON.stringify(rows))!)
    expect(leaves.records).toHaveLength(3)
    expect(leaves.pathLabels).toContain('duration')
  })

  test('may be tags or attributes with more than a name and a value', () => {
    const tags = (name: string) => ({
      id: name,
      tags: [{ key: 'team', type: 'string', value: `of ${name}` }],
    })
    expect(namedIn([tags('x'), tags('y'), tags('z')])).toEqual([
      ['team', 'of x'],
      ['team', 'of y'],
      ['team', 'of z'],
    ])
  })

  test('may have values alone in an object that says their type', () => {
    const span = (host: string, port: string) => ({
      attributes: [
        { key: 'net.host', value: { stringValue: host } },
        { key: 'net.port', value: { intValue: port } },
      ],
    })
    const spans = [span('amber', '81'), span('cedar', '82'), span('fjord', '83')]
    expect(namedIn(spans).slice(2, 4)).toEqual([
      ['net.host', 'cedar'],
      ['net.port', '82'],
    ])
  })

  test('may be conditions, whose state belongs to their type', () => {
    const pod = (ready: string) => ({ conditions: [{ type: 'Ready', status: ready, reason: 'x' }] })
    expect(
      namedIn([pod('True'), pod('False'), pod('True')]).map(([name, value]) => `${name} ${value}`),
    ).toEqual(['Ready True', 'Ready False', 'Ready True'])
  })

  test('are records of their own in one list, and where names come again', () => {
    expect(namedIn({ settings: [pair('one', '1'), pair('two', '2'), pair('three', '3')] })).toEqual([])
    const twice = [pair('one', '1'), pair('one', '2')]
    expect(namedIn([{ a: twice }, { a: twice }, { a: twice }])).toEqual([])
  })
})

describe('cells of one value', () => {
  const cell = (v: string) => ({ v })
  const rows = ['Lisbon', 'Porto', 'Faro'].map((depot, i) => ({ f: [cell(depot), cell(`${i}`)] }))

  test('are named by a list of as many names elsewhere', () => {
    const schema = { fields: [{ name: 'depot', type: 'STRING' }, { name: 'parcels' }] }
    expect(namedIn({ kind: 'response', schema, rows }).slice(0, 2)).toEqual([
      ['depot', 'Lisbon'],
      ['parcels', '0'],
    ])
    const leaves = findLeaves(parseJson(JSON.stringify({ schema, rows }))!)
    expect([...leaves.tables.values()].map((header) => header.length)).toEqual([2])
  })

  test('of two kinds are named by the header that is called like theirs', () => {
    const values = (value: string) => [{ value }]
    const report = {
      metricHeaders: [{ name: 'users' }],
      dimensionHeaders: [{ name: 'country' }],
      rows: ['PT', 'ES', 'FR'].map((land) => ({ dimensionValues: values(land), metricValues: values('9') })),
    }
    expect(namedIn(report).filter(([, value]) => value === 'PT' || value === '9')).toEqual([
      ['country', 'PT'],
      ['users', '9'],
      ['users', '9'],
      ['users', '9'],
    ])
  })

  test('stay as they are without a header of their width', () => {
    expect(namedIn({ schema: { fields: [{ name: 'depot' }] }, rows })).toEqual([])
  })
})
