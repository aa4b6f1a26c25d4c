import { describe, expect, it } from 'vitest'
import { highestOf, mayActAs, type Role, rolesFrom, wordsOf } from '../../../lib/api/roles.ts'

describe('mayActAs', () => {
  it.each<[Role[], Role[]]>([
    [[], []],
    [['viewer'], ['viewer']],
    [['operator'], ['viewer', 'operator']],
    [['admin'], ['viewer', 'operator', 'admin']],
    [
      ['viewer', 'admin'],
      ['viewer', 'operator', 'admin'],
    ],
  ])('lets callers who are %j act as %j', (given, acts) => {
    expect(rolesFrom('viewer').filter((needed) => mayActAs(needed, given))).toEqual(acts)
    expect(highestOf(given)).toBe(acts.at(-1))
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
