import { expect, it } from 'vitest'
import { showRecords } from '../../../../electron/engine/compression/records/show-records.ts'
import { readText } from '../../../../electron/engine/text/readers/registry.ts'

it('an overview has values before what says that there is none', () => {
  const none = ['N/A', '--', '(none)', 'Not Available', 'null']
  const members = Array.from({ length: 60 }, (_, i) =>
    i % 6 === 5 ? `<state${i}>active ${i}</state${i}>` : `<field${i}>${none[i % 5]}</field${i}>`,
  )
  const reading = readText(`<device>\n ${members.join('\n ')}\n</device>`)
  const shown = reading && showRecords(reading, undefined, 200)?.text
  for (let i = 5; i < 60; i += 6) expect(shown).toContain(`active ${i}`)
})
