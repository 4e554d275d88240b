// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { expect, it } from 'vitest'
import ToolEditor from '../../../renderer/components/ToolEditor.vue'
import type { ToolStatus } from '../../../shared/api/tools.ts'
import type { ToolSettings } from '../../../shared/settings.ts'

const tool = {
  server: 'files',
  tool: 'read',
  original: { name: 'read', description: 'Reads a file.', inputSchema: { type: 'object' } },
  originalTokens: 20,
  shownTokens: 20,
  problems: [],
} as unknown as ToolStatus

const editor = (draft: ToolSettings) =>
  mount(ToolEditor, {
    props: { tool, draft, isChanged: false, isOutdated: false },
    global: { stubs: { PolicyForm: true } },
  })
const drafts = (shown: ReturnType<typeof editor>): unknown => shown.emitted('update:draft')?.at(-1)?.[0]

it('gives an edited description back to the server with one press', async () => {
  const shown = editor({ description: 'Mine.', hidden: true })
  await shown.get('.own button').trigger('click')
  expect(drafts(shown)).toEqual({ hidden: true })
  await shown.setProps({ draft: { hidden: true } })
  expect(shown.find('.own button').exists()).toBe(false)
  expect(shown.get('textarea').element.value).toBe('Reads a file.')
})

it('says what an emptied description means', async () => {
  const shown = editor({})
  expect(shown.text()).not.toContain('can only guess')
  await shown.get('textarea').setValue('')
  expect(drafts(shown)).toEqual({ description: '' })
  expect(shown.text()).toContain('can only guess what the tool is for')
})
