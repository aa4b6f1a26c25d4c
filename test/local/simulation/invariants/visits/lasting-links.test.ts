import { describe, expect, it } from 'vitest'
import { lastingLinks } from '../../../../../local/simulation/invariants/visits/lasting-links.ts'
import { visited } from './visited.ts'

const judge = (address: string, ...paths: readonly string[]) =>
  lastingLinks({ visits: [visited(address, { recordings: paths.map((path) => ({ path })) })] })

const link = (expires: number) => `/watch/show/s/state?expires=${expires}&signature=a`

describe('lastingLinks', () => {
  it('accepts links that end with the link to their show, and those to public recordings', () => {
    expect(judge(link(100), '/watch/a?expires=100&signature=b', '/watch/b')).toEqual([])
    expect(judge('/watch/show/s/state', '/watch/b')).toEqual([])
  })

  it.each([
    ['another end', link(100)],
    ['no end', '/watch/show/s/state'],
  ])('finds a link to a recording below a link with %s', (_, address) => {
    expect(judge(address, '/watch/a?expires=200&signature=b').join()).toContain('leads to a recording until 200')
  })
})
