import { describe, expect, it } from 'vitest'
import { deliveryLine } from '../../../../bin/operations/listen/delivery-line.ts'
import { ended } from './listen-cloud.ts'

describe('deliveryLine', () => {
  it('says what the app answered', () => {
    const line = deliveryLine(ended, { status: 204, ms: 12, isRetryable: false, isGivenUp: false }, 1)
    expect(line).toMatch(/^[\d:]+ {2}show\.ended {11}demo succeeded {2}→ 204 in 12 ms$/)
  })

  it('says that an event was given up', () => {
    const delivery = { ms: 8, problem: 'The app did not accept it (TIMEOUT).', isRetryable: true, isGivenUp: true }
    const end = '→ no answer in 8 ms (attempt 10): The app did not accept it (TIMEOUT). Given up.'
    expect(deliveryLine(ended, delivery, 10).endsWith(end)).toBe(true)
  })
})
