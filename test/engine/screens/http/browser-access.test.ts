import { expect, test } from 'vitest'
import {
  createAdmittedBrowsers,
  type AdmittedBrowsers,
} from '../../../../electron/engine/screens/http/admitted-browsers.ts'
import {
  createBrowserAccess,
  type BrowserAccess,
} from '../../../../electron/engine/screens/http/browser-access.ts'
import { createProgramBrowser } from '../../../helpers/program-browser.ts'
import { temporaryFolder } from '../../../helpers/temporary-folder.ts'

const ORIGIN = 'http://127.0.0.1:7424'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface World {
  readonly access: BrowserAccess
  readonly browsers: AdmittedBrowsers
  readonly pass: (ms: number) => void
  readonly startAnew: () => BrowserAccess
}

function startWorld(): World {
  const clock = { now: 1_700_000_000_000 }
  const logger = { warn: () => {} }
  const now = (): number => clock.now
  const browsers = createAdmittedBrowsers({ dataDir: temporaryFolder(), now, logger })
  const startAnew = (): BrowserAccess => createBrowserAccess({ now, browsers, logger })
  return { access: startAnew(), browsers, pass: (ms) => void (clock.now += ms), startAnew }
}

const browser = createProgramBrowser()
const openLink = (access: BrowserAccess, code: string) =>
  access.enter(browser.proof(ORIGIN, code), ORIGIN, undefined)
const comeBack = (access: BrowserAccess) =>
  access.enter(browser.proof(ORIGIN, access.newChallenge()), ORIGIN, undefined)
const letIn = (access: BrowserAccess): string => {
  const entered = openLink(access, access.newLinkCode())
  return 'session' in entered ? entered.session : ''
}

test('a link is valid for ten minutes and no millisecond longer', () => {
  const { access, pass } = startWorld()
  const [first, second] = [access.newLinkCode(), access.newLinkCode()]
  pass(10 * MINUTE)
  expect(openLink(access, first)).toHaveProperty('session')
  pass(1)
  expect(openLink(access, second)).toEqual({ refused: 'link' })
})

test('a proof that does not hold uses no link up', () => {
  const { access } = startWorld()
  const code = access.newLinkCode()
  const wrong = browser.proof('http://127.0.0.1:1', code)
  expect(access.enter(wrong, ORIGIN, undefined)).toEqual({ refused: 'proof' })
  expect(openLink(access, code)).toHaveProperty('session')
})

test('a challenge is good for a minute, at the engine that gave it', () => {
  const { access, pass, startAnew } = startWorld()
  letIn(access)
  const proof = browser.proof(ORIGIN, access.newChallenge())
  expect(startAnew().enter(proof, ORIGIN, undefined)).toEqual({ refused: 'proof' })
  pass(MINUTE + 1)
  expect(access.enter(proof, ORIGIN, undefined)).toEqual({ refused: 'proof' })
  expect(comeBack(access)).toHaveProperty('session')
})

test('a session lasts an hour; access lasts thirty days from its last use, over starts of the engine', () => {
  const { access, browsers, pass, startAnew } = startWorld()
  const session = letIn(access)
  pass(HOUR)
  expect(access.admissionOf(session)?.holds()).toBe(true)
  pass(1)
  expect(access.admissionOf(session)).toBeUndefined()
  expect(access.admissionOf('guess')).toBeUndefined()
  expect(access.admissionOf(undefined)).toBeUndefined()
  for (let uses = 0; uses < 3; uses++) {
    pass(30 * DAY - 2 * HOUR)
    expect(comeBack(startAnew())).toHaveProperty('session')
  }
  pass(30 * DAY)
  expect(comeBack(startAnew())).toEqual({ refused: 'unknown' })
  expect(browsers.list()).toEqual([])
})

test('what is under way outlives its session, but not the access', () => {
  const { access, browsers, pass } = startWorld()
  const admission = access.admissionOf(letIn(access))
  pass(2 * HOUR)
  expect(admission?.holds()).toBe(true)
  browsers.revoke([browser.id])
  expect(admission?.holds()).toBe(false)
})

test('where nothing can be written down, a link still opens the screens for an hour', () => {
  const { pass, browsers } = startWorld()
  const clock = { now: 0 }
  const admit = (): never => {
    throw new Error('ENOSPC')
  }
  const logger = { warn: () => {} }
  const access = createBrowserAccess({ now: () => clock.now, browsers: { ...browsers, admit }, logger })
  const session = letIn(access)
  expect(access.admissionOf(session)?.holds()).toBe(true)
  expect(comeBack(access)).toEqual({ refused: 'unknown' })
  pass(HOUR)
  clock.now += HOUR + 1
  expect(access.admissionOf(session)).toBeUndefined()
})
