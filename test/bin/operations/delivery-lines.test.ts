import { describe, expect, it } from 'vitest'
import { deliveryLines } from '../../../bin/operations/delivery-lines.ts'
import { apiExamples } from '../../../lib/api/examples.ts'
import type { Deliveries } from '../../../lib/client/documents.ts'

const { items } = apiExamples['GET /shows/{id}/deliveries'].answer as Deliveries

describe('deliveryLines', () => {
  it('prints each delivery with its last attempt', () => {
    const [head, line] = deliveryLines(items)
    expect(head).toMatch(/^DELIVERY +TIME +EVENT +STATUS +LAST ATTEMPT$/)
    expect(line).toMatch(/^5f0d1c7a\w+ .* recording\.started program +delivered +2: 204 after 0\.21 s$/)
  })

  it('names the failure of a connection, and a signature that did not verify', () => {
    const attempts = [{ at: '2026-12-01T18:01:30.000Z', duration: 10, problem: 'TIMEOUT', keyId: 'k', verified: false }]
    const [, line] = deliveryLines(items.map((one) => ({ ...one, attempts })))
    expect(line).toContain('1: TIMEOUT after 10.00 s, its signature did not verify')
    expect(deliveryLines([])).toEqual(['No event has happened yet.'])
  })
})
