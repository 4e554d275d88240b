import { describe, expect, it } from 'vitest'
import { sayWhichApp } from '../../electron/app/app-identity.ts'
import { readConfig } from '../../electron/packaging/read-config.ts'

describe('what the app is called on Windows', () => {
  const saidOn = (platform: NodeJS.Platform): string[] => {
    const said: string[] = []
    sayWhichApp({ setAppUserModelId: (id) => void said.push(id) }, platform)
    return said
  }

  it('is what the installer writes into the start menu’s entry, without which no notification is shown', () => {
    expect(saidOn('win32')).toEqual([readConfig().appId])
  })

  it('is said on no other system', () => {
    expect([...saidOn('darwin'), ...saidOn('linux')]).toEqual([])
  })
})
