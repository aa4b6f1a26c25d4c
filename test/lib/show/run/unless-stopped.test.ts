import { describe, expect, it } from 'vitest'
import { isStopped } from '../../../../lib/show/run/unless-stopped.ts'
import { START_TIME } from '../../../support/world.ts'

describe('isStopped', () => {
  it('returns true once a stop was requested, and once the show has ended', () => {
    expect([{}, { stopAskedAt: START_TIME }, { endedAt: START_TIME }].map(isStopped)).toEqual([false, true, true])
  })
})
