import { expect, it } from 'vitest'
import type { WaitingChange } from '../../../shared/api/approvals.ts'
import type { LookedAtServer } from '../../../shared/api/clients.ts'
import { confirmWords } from '../../../renderer/format/offer-words.ts'

const words = { confirm: 'Approve and wrap', confirmKnown: 'Wrap' }
const tool = (denied: boolean) => ({ kind: 'tool', name: 't', places: [], denied }) as never as WaitingChange
const row = (name: string, changes: readonly WaitingChange[], state = 'offers') => ({
  name,
  state,
  looked: { changes } as LookedAtServer,
})

it('says what a yes does, and that it approves only where something is to be approved', () => {
  expect(confirmWords([row('github', [tool(false)])], words)).toBe('Approve and wrap github')
  expect(confirmWords([row('github', [])], words)).toBe('Wrap github')
  // Earlier denials are not approved along with it.
  expect(confirmWords([row('github', [tool(true)])], words)).toBe('Wrap github')
  expect(confirmWords([row('a', []), row('b', [tool(false)])], words)).toBe('Approve and wrap 2 servers')
  // The offer of a server that did not start is unknown.
  expect(confirmWords([row('a', [], 'failed')], words)).toBe('Approve and wrap a')
  expect(confirmWords([], words)).toBe('Approve and wrap')
})
