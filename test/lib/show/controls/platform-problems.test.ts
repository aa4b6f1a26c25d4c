import { describe, expect, it } from 'vitest'
import {
  PlatformAuthError,
  PlatformConflictError,
  PlatformRequestError,
  PlatformThrottledError,
  PlatformUnavailableError,
} from '../../../../lib/platform/client/errors.ts'
import { platformProblem } from '../../../../lib/show/controls/platform-problems.ts'

const details = { operation: 'muteStream', attempt: 1, message: 'As arranged.' }

describe('platformProblem', () => {
  it.each([
    [new PlatformRequestError('x', { status: 400, details }), 409, 'The platform refuses it (400: As arranged).'],
    [new PlatformConflictError('x', { status: 409, details }), 409, 'The platform refuses it (409: As arranged).'],
    [
      new PlatformAuthError('x', { status: 403, details }),
      502,
      'The platform fails (403: As arranged): try again later.',
    ],
    [
      new PlatformThrottledError('x', { status: 429, details }),
      502,
      'The platform fails (429: As arranged): try again later.',
    ],
    [new PlatformUnavailableError('x', { details }), 504, 'The platform does not answer: try again later.'],
  ])('describes %s', (error, status, words) => {
    expect(platformProblem(error)).toEqual({ status, words })
  })

  it('explains what to do about a relayed session', () => {
    const relayed = { ...details, message: 'The session is not routed' }
    expect(platformProblem(new PlatformConflictError('x', { status: 409, details: relayed }))).toMatchObject({
      status: 409,
      words: expect.stringContaining('only a routed one can be'),
    })
  })

  it('returns undefined for any other error', () => {
    expect(platformProblem(new Error('internal'))).toBeUndefined()
  })
})
