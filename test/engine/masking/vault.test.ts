import { describe, expect, test } from 'vitest'
import { silentLogger } from '../../../electron/engine/ground/logger.ts'
import { openDatabase } from '../../../electron/engine/ground/database/database.ts'
import { cleanLogText } from '../../../electron/engine/masking/clean-log-text.ts'
import { loadSearch } from '../../../electron/engine/masking/search.ts'
import { createVaults } from '../../../electron/engine/masking/client-vaults.ts'
import { KnownValues } from '../../../electron/engine/masking/known-values.ts'
import { createPlaceholderNumbers } from '../../../electron/engine/masking/placeholder-numbers.ts'
import { countFromOne, Vault } from '../../../electron/engine/masking/vault.ts'
import { temporaryFolder } from '../../helpers/temporary-folder.ts'
import { join } from 'node:path'

const open = (path: string) => openDatabase({ path, logger: silentLogger, now: () => 0 })

describe('Vault', () => {
  test('one stand-in a value, whatever it was taken for the second time', () => {
    const vault = new Vault(countFromOne())
    expect(vault.placeholderFor('phone', '123456789')).toBe('[PHONE_1]')
    expect(vault.placeholderFor('ssn', '123456789')).toBe('[PHONE_1]')
    expect(vault.placeholderFor('ssn', '123-45-6789')).toBe('[SSN_1]')
    expect(vault.valueOf('[SSN_1]')).toBe('123-45-6789')
    expect(vault.valueOf('[SSN_2]')).toBeUndefined()
  })

  test('names and values of objects are values like others', () => {
    const vault = new Vault(countFromOne())
    for (const value of ['__proto__', 'constructor', '']) {
      expect(vault.valueOf(vault.placeholderFor('person', value))).toBe(value)
    }
    expect(vault.valueOf('__proto__')).toBeUndefined()
  })
})

describe('createVaults', () => {
  test('a client has its vaults until the last of its sessions has ended; another client has its own', () => {
    const vaults = createVaults(countFromOne())
    const first = vaults.open('claude', 's1').hiddenFromModel
    expect(vaults.open('claude', 's2').hiddenFromModel).toBe(first)
    expect(vaults.open('cursor', 's3').hiddenFromModel).not.toBe(first)
    first.placeholderFor('email', 'a@x.org')
    vaults.endSession('s1')
    expect(vaults.current('claude')?.hiddenFromModel).toBe(first)
    vaults.endSession('s2')
    vaults.endSession('never opened')
    expect(vaults.current('claude')).toBeUndefined()
    expect(vaults.open('claude', 's4').hiddenFromModel.placeholderFor('email', 'b@x.org')).toBe('[EMAIL_2]')
  })
})

describe('createPlaceholderNumbers', () => {
  test('no number is given out twice on one database, by two processes or after a restart', () => {
    const path = join(temporaryFolder(), 'sluice.db')
    const [one, two] = [open(path), open(path)]
    const [nextOne, nextTwo] = [createPlaceholderNumbers(one), createPlaceholderNumbers(two)]
    const given = Array.from({ length: 250 }, () => [nextOne('EMAIL'), nextTwo('EMAIL')]).flat()
    one.close()
    two.close()
    const later = open(path)
    const next = createPlaceholderNumbers(later)
    given.push(next('EMAIL'), next('EMAIL'))
    expect(given[0]).toBe(1)
    expect(new Set(given).size).toBe(given.length)
    expect(next('PHONE')).toBe(1)
    later.close()
  })
})

describe('KnownValues', () => {
  const known = new KnownValues()
  for (const value of ['3 April 1955', '3 April 19', '(37) 788-063', '+44 20', 'élan', '!!'])
    known.add({ type: 't', value })
  const values = (text: string): string[] => known.find(text).map(({ value }) => value)

  test('finds values as words of their own, the longest first, wherever the search begins', () => {
    expect(values('3 April 1955')).toEqual(['3 April 1955'])
    expect(values('13 April 1955 and 3 April 19559 and 3 April 19.')).toEqual(['3 April 19'])
    expect(values('(37) 788-063 +44 20 élan élans')).toEqual(['(37) 788-063', '+44 20', 'élan'])
    expect(values('élan')).toEqual(['élan'])
  })
})

test('a log line holds neither what a vault knows nor what looks like personal data', async () => {
  const vault = new Vault(countFromOne())
  vault.placeholderFor('person', 'Ann Smith')
  expect(cleanLogText('Ann Smith, a@x.org, at 127.0.0.1: 3 rows', [vault], await loadSearch())).toBe(
    '[PERSON], [EMAIL], at 127.0.0.1: 3 rows',
  )
  expect(cleanLogText('Ann Smith, a@x.org', [vault], undefined)).toBe(
    '[withheld: masking is still being loaded]',
  )
})
