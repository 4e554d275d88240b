import { expect, test } from 'vitest'
import { classOfField, TIME } from '../../../../electron/engine/compression/lines/field-class.ts'

test.each([
  '10:31',
  '10:31:07',
  '10:31:07.2',
  '31:07.25',
  '10:31:07,250',
  '2026-11-27T10:31:07Z',
  '27/Nov/2026:10:31:07',
])('%s is a time', (field) => expect(classOfField(field)).toBe(TIME))

test.each(['00:14.3', '00:1f.2', '0000:00:14.3', '10.1.2.3', '1:7', '33.10', '12.50'])(
  '%s is none',
  (field) => expect(classOfField(field)).not.toBe(TIME),
)
