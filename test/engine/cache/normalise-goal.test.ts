import { describe, expect, test } from 'vitest'
import { normaliseGoal } from '../../../electron/engine/cache/normalise-goal.ts'
import { stemOf } from '../../../electron/engine/text/words/stem.ts'

const normal = (goal: string | undefined): string => normaliseGoal(goal, stemOf)

describe('goals that mean the same have one form', () => {
  test.each([
    ['find it', 'Find It!'],
    ['the failing tests', 'Failing test?'],
    ['errors after login', 'Errors after logins.'],
    ['database connection errors', 'errors of the connection to the database'.replace('to the ', '')],
    ['port number of the server', 'What is the server’s port number?'],
    ['“quoted”, (words)', 'words quoted'],
    ['ﬁle ＮＡＭＥ', 'file name'],
    ['  many   blanks\n', 'many blanks'],
  ])('%j and %j', (one, other) => {
    expect(normal(one)).toBe(normal(other))
  })
})

describe('goals that differ keep apart', () => {
  test.each([
    ['C++ compilers', 'C# compilers'],
    ['C compilers', 'C++ compilers'],
    ['version 1.2', 'version 12'],
    ['-5 degrees', '5 degrees'],
    ['flights from Paris to London', 'flights from London to Paris'],
    ['errors but not warnings', 'warnings but not errors'],
    ['users with licences', 'users without licences'],
    ['what happened before the crash', 'what happened after the crash'],
    ['who changed it', 'when it changed'],
    ['user_id', 'user id'],
    ['статус', 'статья'],
    ['', 'anything'],
  ])('%j and %j', (one, other) => {
    expect(normal(one)).not.toBe(normal(other))
  })

  test('one of empty words alone keeps its words', () => {
    expect(normal('what is it')).not.toBe('')
    expect(normal(undefined)).toBe('')
  })
})
