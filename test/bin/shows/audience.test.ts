import { describe, expect, it } from 'vitest'
import { afterTheFirst } from '../../../bin/shows/audience.ts'

describe('afterTheFirst', () => {
  it('lets participants wait until the show is live, and keeps later times', () => {
    const participants = [{ name: 'Ada' }, { name: 'Grace', leavesAt: 14 }, { name: 'Linus', joinsAt: 6 }]
    expect(afterTheFirst(participants)).toEqual([
      { name: 'Ada', joinsAt: 0 },
      { name: 'Grace', joinsAt: 0, leavesAt: 14 },
      { name: 'Linus', joinsAt: 6 },
    ])
  })
})
