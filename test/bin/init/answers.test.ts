import { describe, expect, it } from 'vitest'
import { completeAnswers } from '../../../bin/init/answers.ts'

const defaults = { name: 'My first show', duration: 30, live: true, public: false, port: 3000 }

describe('completeAnswers', () => {
  it('takes the defaults without asking', async () => {
    expect(await completeAnswers({}, undefined)).toEqual(defaults)
    expect(await completeAnswers({ live: false, port: 4000 }, undefined)).toEqual({
      ...defaults,
      live: false,
      port: 4000,
    })
  })

  it('asks five questions, and again after a wrong answer', async () => {
    const prompts: string[] = []
    const typed = ['  Launch  ', 'long', '90', '', 'perhaps', 'Y', '3100']
    const answers = await completeAnswers({}, async (prompt) => {
      prompts.push(prompt)
      return typed.shift() ?? ''
    })
    expect(answers).toEqual({ name: 'Launch', duration: 90, live: true, public: true, port: 3100 })
    expect(prompts).toHaveLength(7)
    expect(prompts[2]).toMatch(/^It must be a whole number .* Duration in seconds \(30\): $/)
    expect(prompts[5]).toMatch(/^It must be yes or no\. May anyone watch/)
  })

  it('does not ask for what is given', async () => {
    const prompts: string[] = []
    await completeAnswers({ name: 'Given', live: false, public: true, port: 1 }, async (prompt) => {
      prompts.push(prompt)
      return ''
    })
    expect(prompts).toEqual(['Duration in seconds (30): '])
  })
})
