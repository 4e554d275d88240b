import { describe, expect, it } from 'vitest'
import { goalOfPrompts } from '../../../electron/engine/goals/goal-of-prompts.ts'

describe('the goal that prompts give', () => {
  it('is the last request, without those that it replaced', () => {
    const prompts = [
      'Which of the tests in the billing folder fail?',
      'Find out why the login page is so slow now.',
    ]
    expect(goalOfPrompts({ prompts })).toBe('Find out why the login page is so slow now.')
  })

  it('goes back over short answers to the request that they continue', () => {
    const prompts = ['Find out why the login page is so slow now.', 'yes', 'go on, please']
    expect(goalOfPrompts({ prompts })).toBe('Find out why the login page is so slow now.\nyes\ngo on, please')
    expect(
      goalOfPrompts({ prompts: ['Why is the build red?', 'ログインページが遅い理由を調べてください'] }),
    ).toBe('ログインページが遅い理由を調べてください')
  })

  it("inside a sub-agent is its task, and a command's own words come first", () => {
    const prompts = ['Refactor the billing service into modules of their own.']
    expect(goalOfPrompts({ prompts, task: 'List callers of chargeCard', words: 'rg chargeCard' })).toBe(
      'rg chargeCard\nList callers of chargeCard',
    )
  })

  it('leaves pasted blocks out and keeps both ends of a long request, at whole words', () => {
    const pasted = `Why does this crash?\n\`\`\`\n${'frame at main.ts\n'.repeat(500)}\`\`\`\nLook in the queue first.`
    expect(goalOfPrompts({ prompts: [pasted] })).toBe('Why does this crash? Look in the queue first.')
    const long = `Explain the retry policy. ${'padding words follow '.repeat(200)} Mind the timeout of uploads.`
    const goal = goalOfPrompts({ prompts: [long] }) ?? ''
    expect(goal.length).toBeLessThan(620)
    expect(goal).toMatch(/^Explain the retry policy\..* … .*Mind the timeout of uploads\.$/)
    // Only a pasted block: then that is what is asked.
    expect(goalOfPrompts({ prompts: ['```\nTypeError in parse\n```'] })).toBe('``` TypeError in parse ```')
  })

  it('is nothing where nothing was asked', () => {
    expect(goalOfPrompts({ prompts: [] })).toBeUndefined()
    expect(goalOfPrompts({ prompts: [' '], words: '' })).toBeUndefined()
  })
})
