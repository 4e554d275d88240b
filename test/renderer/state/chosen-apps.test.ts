import { ref } from 'vue'
import { expect, test } from 'vitest'
import { useChosenApps } from '../../../renderer/state/chosen-apps.ts'

test('an app that the user took out stays out when the list of apps changes', () => {
  const found = ref(['claude-code', 'codex'])
  const chosen = useChosenApps(found)
  expect(chosen.value).toEqual(['claude-code', 'codex'])
  chosen.value = ['claude-code']
  found.value = ['claude-code', 'codex', 'gemini-cli']
  expect(chosen.value).toEqual(['claude-code', 'gemini-cli'])
  found.value = ['claude-code']
  chosen.value = []
  found.value = ['claude-code', 'codex', 'gemini-cli']
  expect(chosen.value).toEqual(['gemini-cli'])
  chosen.value = ['claude-code', 'codex', 'gemini-cli']
  expect(chosen.value).toHaveLength(3)
})
