import { describe, expect, test } from 'vitest'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'
import {
  isStepFailure,
  isStepTitle,
  unwrapLine,
} from '../../../../electron/engine/compression/lines/unwrap-line.ts'
import { readOwnCases } from '../../../helpers/own-cases.ts'

describe('a line without what was put before it', () => {
  test.each([
    ['#21 7.630 AssertionError: expected 1', '#21', 'AssertionError: expected 1'],
    ['#21 7.632', '#21', ''],
    ['#9 ERROR: executor failed', '#9', '#9 ERROR: executor failed'],
    ['#9 [deps 4/4] RUN npm ci', '#9', '#9 [deps 4/4] RUN npm ci'],
    ['2026-11-22T17:53:23.375Z npm error code E404', '', 'npm error code E404'],
    ['# 12 tests', '', '# 12 tests'],
    ['[INFO] BUILD FAILURE', '', 'BUILD FAILURE'],
    ['[INFO]', '', ''],
    ['[ERROR] Monthly.java:[3,17] cannot find symbol', '', '[ERROR] Monthly.java:[3,17] cannot find symbol'],
  ])('%s', (line, source, text) => {
    expect(unwrapLine(line)).toMatchObject({ source, text })
  })
})

test.each([
  ['#9 [deps 4/4] RUN npm ci', true],
  ['#1 [internal] load build context', false],
  ['Step 6/9 : RUN make -j2', true],
  ['> Task :core:compileJava', true],
  [':core:compileJava', true],
  [':core:classes UP-TO-DATE', false],
])('names a step: %s', (line, names) => {
  expect(isStepTitle(line)).toBe(names)
})

test.each([
  "The command '/bin/sh -c make' returned a non-zero code: 2",
  '#9 ERROR: process "/bin/sh -c npm ci" did not complete successfully: exit code: 1',
  ':mail:test FAILED',
  'make: *** [Makefile:4: pack] Error 1',
])('says that a step failed: %s', (line) => {
  expect(isStepFailure(line)).toBe(true)
})

test('builds of Docker, Maven and Gradle are reports, however little of them is wrong', () => {
  const builds = new Map(
    readOwnCases().flatMap((one) => (one.kind === 'build' ? [[one.document, one.text]] : [])),
  )
  expect(builds.size).toBeGreaterThanOrEqual(10)
  for (const [name, text] of builds) expect(detectKind(text), name).toBe('test-report')
})
