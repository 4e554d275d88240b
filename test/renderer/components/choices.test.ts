// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import ChoiceSet from '../../../renderer/components/ChoiceSet.vue'
import ConfirmButton from '../../../renderer/components/ConfirmButton.vue'
import ReviewRows from '../../../renderer/components/ReviewRows.vue'
import SegmentedChoice from '../../../renderer/components/SegmentedChoice.vue'
import ToggleSwitch from '../../../renderer/components/ToggleSwitch.vue'

describe('a button for what cannot be undone', () => {
  const start = () =>
    mount(ConfirmButton, {
      props: { label: 'Delete', question: 'Delete it for good?', leaveIt: 'Keep it' },
      attachTo: document.body,
    })
  const press = async (button: ReturnType<typeof start>, label: string): Promise<void> =>
    button
      .findAll('button')
      .find((each) => each.text() === label)
      ?.trigger('click')

  test('does nothing at the first press but ask, with the focus on the answer', async () => {
    const button = start()
    await press(button, 'Delete')
    await expect.poll(() => document.activeElement?.textContent?.trim()).toBe('Delete')
    expect(button.find('[role=alert]').text()).toBe('Delete it for good?')
    expect(button.emitted('confirm')).toBeUndefined()
  })

  test('does it at the second press, once, and asks anew afterwards', async () => {
    const button = start()
    await press(button, 'Delete')
    await press(button, 'Delete')
    await expect.poll(() => button.emitted('confirm')).toHaveLength(1)
    expect(button.find('[role=alert]').exists()).toBe(false)
    await press(button, 'Delete')
    expect(button.emitted('confirm')).toHaveLength(1)
  })

  test.each(['Keep it', 'Escape'])('%s takes the question back', async (way) => {
    const button = start()
    await press(button, 'Delete')
    if (way === 'Escape') await button.trigger('keydown', { key: 'Escape' })
    else await press(button, way)
    await expect.poll(() => button.find('[role=alert]').exists()).toBe(false)
    expect(button.emitted('confirm')).toBeUndefined()
  })
})

describe('several of some choices', () => {
  const choices = [
    ['a', 'First'],
    ['b', 'Second'],
    ['c', 'Third'],
  ] as const

  test('a box changes its own choice alone, and their order stays', async () => {
    const set = mount(ChoiceSet, { props: { label: 'Types', choices, chosen: ['c'] } })
    const boxes = set.findAll('input')
    expect(boxes.map((box) => box.element.checked)).toEqual([false, false, true])
    await boxes[0]?.setValue(true)
    expect(set.emitted('change')).toEqual([[['a', 'c']]])
    await set.setProps({ chosen: ['a', 'c'] })
    await boxes[2]?.setValue(false)
    expect(set.emitted('change')?.[1]).toEqual([['a']])
  })
})

test('one of some choices: what is pressed is chosen, and says so', async () => {
  const choice = mount(SegmentedChoice, {
    props: {
      label: 'Range',
      modelValue: '7',
      choices: [
        { value: '1', label: 'Today' },
        { value: '7', label: '7 days' },
      ],
    },
  })
  const pressed = () => choice.findAll('button').map((button) => button.attributes('aria-pressed'))
  expect(pressed()).toEqual(['false', 'true'])
  await choice.findAll('button')[0]?.trigger('click')
  expect(choice.emitted('update:modelValue')).toEqual([['1']])
})

test('a switch asks for the other state, and not while it is disabled', async () => {
  const toggle = mount(ToggleSwitch, { props: { label: 'Guard', modelValue: true } })
  expect(toggle.attributes('aria-checked')).toBe('true')
  await toggle.trigger('click')
  expect(toggle.emitted('update:modelValue')).toEqual([[false]])
  await toggle.setProps({ disabled: true })
  await toggle.trigger('click')
  expect(toggle.emitted('update:modelValue')).toHaveLength(1)
})

test('servers to import: a box takes or leaves its own server, and a press shows it without taking it', async () => {
  const rows = ['one', 'two', 'three'].map((name) => ({ key: name, name, state: 'waiting' as const }))
  const list = mount(ReviewRows, {
    props: {
      rows: rows as never,
      skipped: [{ name: 'four', why: 'is no server' }],
      chosen: new Set(['one', 'two']),
      shown: 'one',
    },
  })
  const boxes = list.findAll('input')
  expect(boxes.map((box) => box.element.checked)).toEqual([true, true, false])
  await boxes[1]?.setValue(false)
  expect(list.emitted('update:chosen')).toEqual([[new Set(['one'])]])
  await boxes[2]?.setValue(true)
  expect(list.emitted('update:chosen')?.[1]).toEqual([new Set(['one', 'three'])])
  await list.findAll('button')[2]?.trigger('click')
  expect(list.emitted('update:shown')).toEqual([['three']])
  expect(list.emitted('update:chosen')).toHaveLength(2)
  expect(list.text()).toContain('four: is no server')
})
