// @vitest-environment happy-dom
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import AppIcon from '../../../renderer/components/AppIcon.vue'
import { iconNames } from '../../../renderer/design/icon-names.ts'

const renderer = resolve(import.meta.dirname, '../../../renderer')

test('each icon that the page brings is drawn, and some screen shows it', () => {
  const sources = globSync('{components,frame,pages}/**/*.{vue,ts}', { cwd: renderer }).map((path) =>
    readFileSync(resolve(renderer, path), 'utf8'),
  )
  for (const name of iconNames) {
    expect(mount(AppIcon, { props: { name } }).find('path, circle, rect').exists(), name).toBe(true)
    expect(
      sources.some((source) => new RegExp(`['"]${name}['"]`).test(source)),
      `${name} is used`,
    ).toBe(true)
  }
})

test('an icon is hidden from screen readers, unless it has a label', () => {
  const bare = mount(AppIcon, { props: { name: 'check' } })
  expect(bare.attributes('aria-hidden')).toBe('true')
  expect(bare.attributes('role')).toBeUndefined()
  const labelled = mount(AppIcon, { props: { name: 'check', label: 'Done' } })
  expect(labelled.attributes('aria-hidden')).toBeUndefined()
  expect([labelled.attributes('role'), labelled.attributes('aria-label')]).toEqual(['img', 'Done'])
})
