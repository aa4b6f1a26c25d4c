import { describe, expect, it } from 'vitest'
import { aimFaults } from '../../../../local/simulation/faults/aimed-faults.ts'

const call = (caller: string, operation: string) =>
  ({ caller, target: 'platform', operation, occurrence: 1, now: 0, site: '' }) as const

describe('aimFaults', () => {
  it('strikes consecutive calls of an operation, whichever task makes them', () => {
    const decide = aimFaults([{ operation: 'platform stopArchive', from: 2, times: 2, kind: '429' }])
    const kinds = ['StopShow', 'StopShow', 'CheckUploads', 'StopShow'].map((caller) => {
      expect(decide(call(caller, 'platform getArchive'))).toBeUndefined()
      return decide(call(caller, 'platform stopArchive'))?.kind
    })
    expect(kinds).toEqual([undefined, '429', '429', undefined])
  })
})
