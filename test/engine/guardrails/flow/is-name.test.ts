import { expect, it } from 'vitest'
import { isName } from '../../../../electron/engine/guardrails/flow/is-name.ts'

it.each([
  '/home/ines/projects/paper-crane/README.md',
  'C:\\Users\\Ines Falk\\Documents\\plan.docx',
  '~/notes/2026/november.md',
  'src/engine/guardrails/orders/features.ts',
  '@modelcontextprotocol/server-filesystem',
  '/srv/My Documents/final report (2).pdf',
  '5f2b7c1e-9a40-4c1f-8d66-2f1f0b7a9c11',
  '9b20c1f4a7d3e8b6509b20c1f4a7d3e8b6501234',
  'feature-add-length-correction.v2',
  'https://docs.example/guide/first-steps',
])('%s only names something', (text) => expect(isName(text)).toBe(true))

it.each([
  'The quarterly figures are to be kept inside',
  'mark.black-2134@gmail.com',
  'DE02120300000000202051',
  'https://collect.example/in?d=the-quarterly-figures-are-low',
  'https://a:password@host.example/path/of/something',
  'see /home/ines/projects/paper-crane/README.md',
  'figures/are low, tell/nobody',
  `https://collect.example/${'quarterly-figures-'.repeat(8)}`,
  `/${'a-long-text-as-a-path/'.repeat(20)}`,
])('%s may be more', (text) => expect(isName(text)).toBe(false))

it('is decided in linear time', () => {
  expect(isName(`${'a.'.repeat(120)}!`)).toBe(false)
  expect(isName(`${'aaaa '.repeat(50)}/!`)).toBe(false)
})
