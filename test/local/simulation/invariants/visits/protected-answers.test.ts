import { describe, expect, it } from 'vitest'
import { protectedAnswers } from '../../../../../local/simulation/invariants/visits/protected-answers.ts'
import { visited } from './visited.ts'

const headers = {
  ...{ 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff', vary: 'origin' },
  'strict-transport-security': 'max-age=31536000',
}

describe('protectedAnswers', () => {
  it('accepts answers with every header, and those of API Gateway', () => {
    const visits = [visited('/shows', {}, { headers }), visited('/shows', { message: 'Unauthorized' })]
    expect(protectedAnswers({ visits })).toEqual([])
  })

  it('finds an answer without protection of its type', () => {
    const visits = [visited('/shows', {}, { headers: { ...headers, 'x-content-type-options': 'none' } })]
    expect(protectedAnswers({ visits })).toEqual(['GET /shows is answered with x-content-type-options: none'])
  })
})
