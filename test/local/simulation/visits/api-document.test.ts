import { describe, expect, it } from 'vitest'
import { operationOf, undocumented } from '../../../../local/simulation/visits/api-document.ts'

describe('operationOf', () => {
  it('finds the operation of a path, a constant one first', () => {
    expect(operationOf('GET', '/shows/a')).not.toBe(operationOf('GET', '/shows'))
    expect(operationOf('GET', '/recordings/a/clips')).toBeDefined()
    expect(operationOf('GET', '/nothing')).toBeUndefined()
    expect(operationOf('PUT', '/publishing')).toBeUndefined()
  })
})

describe('undocumented', () => {
  it('finds what the schema of an answer does not have', () => {
    const operation = operationOf('GET', '/shows')
    if (!operation) throw new Error('The description has no GET /shows.')
    const answered = (answer: unknown) => undocumented(operation, { status: 200, answer: JSON.stringify(answer) })
    const show = { showId: 'a', name: 'Show', status: 'live', acceptedAt: '2030-01-01T00:00:00.000Z' }
    expect(answered({ items: [show] })).toBeUndefined()
    expect(answered({ items: [{ ...show, status: 'alive' }] })).toMatch(/^items\.0\.status: /)
    expect(answered({})).toMatch(/^items: /)
  })
})
