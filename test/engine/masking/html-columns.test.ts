import { describe, expect, test } from 'vitest'
import { maskText } from '../../../electron/engine/masking/bulk-mask.ts'
import { DEFAULT_PERSONAL_DATA_TYPES } from '../../../shared/masking-policy.ts'

const hiddenIn = (text: string) =>
  maskText(text, { types: DEFAULT_PERSONAL_DATA_TYPES }).spans.map(({ type, value }) => `${type} ${value}`)

describe('the cells below a header of HTML', () => {
  test.each([
    [
      'one line',
      '<table><tr><th>Name</th><th>Phone</th></tr><tr><td>Jo</td><td>5551234567</td></tr></table>',
      ['phone 5551234567'],
    ],
    [
      'lines with attributes and markup',
      '<table class="a">\n<thead>\n<tr><th scope="col">Name</th>\n<th><b>Phone</b></th></tr></thead>\n<tbody><tr><td>Jo</td>\n<td> <a href="#">5551234567</a> </td></tr>\n<tr><td>Al</td><td>5559876543</td></tr></tbody></table>',
      ['phone 5551234567', 'phone 5559876543'],
    ],
    [
      'tags that are not closed',
      '<TABLE><TR><TH>User<TH>PIN<TH>Passport no.<TR><TD>Jo<TD>4711<TD>C01X00T47</TABLE>',
      ['api_key 4711', 'passport C01X00T47'],
    ],
    [
      'cells over several columns and rows',
      '<table><tr><th colspan="2">Who</th><th>PIN</th></tr><tr><td rowspan="2">A</td><td>b</td><td>4711</td></tr><tr><td>c</td><td>4712</td></tr></table>',
      ['api_key 4711', 'api_key 4712'],
    ],
    [
      'a table in a table',
      '<table><tr><th>PIN</th><th>x</th></tr><tr><td>4711</td><td><table><tr><td>4713</td><td>1</td></tr></table></td></tr><tr><td>4712</td><td>2</td></tr></table>',
      ['api_key 4711', 'api_key 4712'],
    ],
    [
      'names first in each row',
      '<table><tr><th>Size</th><td>5551234567</td></tr><tr><th>Phone</th><td>n/a</td></tr></table>',
      [],
    ],
    [
      'other columns',
      '<table><tr><th>Size</th><th>Phone</th></tr><tr><td>5551234567</td><td>yes</td></tr></table>',
      [],
    ],
    [
      'counts',
      '<table><tr><th>Mobile</th><th>Cell</th></tr><tr><td>1200345</td><td>98123456</td></tr></table>',
      [],
    ],
  ])('are labelled by it: %s', (_, text, hidden) => {
    expect(hiddenIn(text)).toEqual(hidden)
  })
})
