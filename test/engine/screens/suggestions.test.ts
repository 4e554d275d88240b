import { expect, test } from 'vitest'
import type { LedgerEntry } from '../../../electron/engine/ledger/ledger-entries.ts'
import { noSavings, withNet } from '../../../electron/engine/ledger/savings.ts'
import { findSuggestions } from '../../../electron/engine/screens/suggestions.ts'

const entry = (more: Partial<LedgerEntry>): LedgerEntry =>
  withNet({
    ...noSavings(),
    server: 'files',
    tool: 'read',
    client: 'cursor',
    strategy: 'log',
    model: '',
    project: '',
    later: 0,
    written: 0,
    calls: 4,
    ...more,
  })
const suggestionsFor = (...entries: LedgerEntry[]) =>
  findSuggestions({ entries }, []).map(({ net, suggestion }) => [net, suggestion])

test('results that shortening made longer are named with what it cost', () => {
  expect(suggestionsFor(entry({ before: 100, after: 130 }))).toEqual([
    [-30, 'Its results got longer. Set compression.strategy to off for it.'],
  ])
})

test('notices of blocked and quarantined results are no cost of shortening', () => {
  const blocked = entry({ strategy: 'none', refused: 2, after: 108 })
  expect(suggestionsFor(blocked)).toEqual([])
  expect(suggestionsFor(blocked, entry({ before: 5000, after: 900 }))).toEqual([])
  expect(suggestionsFor(blocked, entry({ before: 100, after: 130 }))).toEqual([
    [-30, expect.stringContaining('got longer')],
  ])
})

test('parameters of Sluice count with every call', () => {
  expect(suggestionsFor(entry({ strategy: 'none', before: 40, after: 40, added: 12 }))).toEqual([
    [
      -12,
      "Sluice's own parameters cost 12 tokens and saved 0. Set compression.goalParameter to never for it.",
    ],
  ])
})

test('few calls prove nothing', () => {
  expect(suggestionsFor(entry({ calls: 2, before: 100, after: 130 }))).toEqual([])
})
