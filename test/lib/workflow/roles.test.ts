import { describe, expect, it } from 'vitest'
import { mayActAs, wordsOf } from '../../../lib/workflow/roles.ts'

describe('mayActAs', () => {
  it('lets operators do everything, viewers read, and others nothing', () => {
    expect([mayActAs('operator', ['operator']), mayActAs('viewer', ['operator'])]).toEqual([true, true])
    expect([mayActAs('operator', ['viewer']), mayActAs('viewer', ['viewer'])]).toEqual([false, true])
    expect([mayActAs('operator', []), mayActAs('viewer', [])]).toEqual([false, false])
  })
})

describe('wordsOf', () => {
  it.each([
    ['openid showrunner/viewer', ['openid', 'showrunner/viewer']],
    ['[admins showrunner/operator]', ['admins', 'showrunner/operator']], // as API Gateway hands lists on
    ['admins,editors', ['admins', 'editors']],
    [
      ['admins', 'editors'],
      ['admins', 'editors'],
    ],
    ['', []],
    [undefined, []],
    [7, []],
  ])('reads %j', (claim, words) => {
    expect(wordsOf(claim)).toEqual(words)
  })
})
