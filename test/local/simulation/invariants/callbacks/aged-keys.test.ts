import { describe, expect, it } from 'vitest'
import { agedKeys } from '../../../../../local/simulation/invariants/callbacks/aged-keys.ts'

const header = (kid: string) => Buffer.from(JSON.stringify({ alg: 'EdDSA', kid })).toString('base64url')
const signed = (kid: string, seconds: number) => ({
  ...{ at: seconds * 1000, url: '', body: '' },
  headers: { 'showrunner-signature': `${header(kid)}.payload.signature` },
})

/** Judges callbacks after rotations at these seconds. */
const judge = (callbacks: ReturnType<typeof signed>[], ...rotations: number[]) =>
  agedKeys({
    callbacks,
    trace: rotations.map((seconds) => ({ at: seconds * 1000, line: '   60.000 the callback key is rotated' })),
  })

describe('agedKeys', () => {
  it('finds a callback that is signed with a new key within an hour of a rotation', () => {
    expect(judge([signed('old', 0), signed('new', 3_600)], 60)).toEqual([
      'a callback at 1970-01-01T01:00:00.000Z is signed with a key that was made at 1970-01-01T00:01:00.000Z',
    ])
  })

  it('accepts the former key, and the new one after an hour', () => {
    expect(judge([signed('old', 0), signed('old', 120), signed('new', 3_655)], 60)).toEqual([])
    expect(judge([signed('old', 0), signed('new', 120)])).toEqual([])
  })

  it('judges only a rotation after a callback, and not two within an hour', () => {
    const callbacks = [signed('old', 0), signed('new', 3_000)]
    expect(judge(callbacks.slice(1), 60)).toEqual([])
    expect(judge(callbacks, 60, 2_000)).toEqual([])
    expect(judge(callbacks, 60, 3_661)).toHaveLength(1)
  })
})
