import { describe, expect, it } from 'vitest'
import { directNameOf, showIdOf } from '../../../../local/simulation/environment/direct-starts.ts'

describe('showIdOf', () => {
  it('returns the name of an execution that can be an id, and the hash of another one', () => {
    expect(showIdOf('a-show')).toBe('a-show')
    expect(showIdOf(directNameOf(28))).toMatch(/^[0-9a-f]{40}$/)
    expect(showIdOf(directNameOf(28))).not.toBe(showIdOf(directNameOf(78)))
  })
})
