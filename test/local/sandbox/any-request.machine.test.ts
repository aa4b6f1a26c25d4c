import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorBody } from '../../../lib/platform/contract/errors.ts'
import type { Operation } from '../../../lib/platform/contract/operation.ts'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import { AUTH_HEADER } from '../../../lib/platform/contract/tokens.ts'
import { mutated } from '../../support/schemas/mutated.ts'
import { openSession } from './open-session.ts'
import { openTarget } from './open-target.ts'

const table = Object.entries(operations) as [OperationName, Operation][]
const runs = { seed: 20_261_120, numRuns: 60 }

describe('createRouter', () => {
  it.each(table)('answers any body of %s with a documented status', async (name, { encoding }) => {
    const { example, send } = await openTarget(name)
    const form = (fields: unknown) => String(new URLSearchParams(fields as Record<string, string>))
    const body =
      encoding === 'form'
        ? fc.oneof(fc.string(), fc.dictionary(fc.constantFrom(...Object.keys(example)), fc.string()).map(form))
        : fc.oneof(
            fc.string(),
            fc.json(),
            mutated(example).map((value) => JSON.stringify(value) ?? ''),
          )
    await fc.assert(
      fc.asyncProperty(body, async (body) => void (await send(body))),
      runs,
    )
  })

  it.each(table.filter(([, { query }]) => query))('answers any query of %s with a documented status', async (name) => {
    const { send } = await openTarget(name)
    const value = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String))
    const query = fc.dictionary(fc.constantFrom('offset', 'count', 'sessionId', 'other'), value)
    await fc.assert(
      fc.asyncProperty(query, async (query) => void (await send(undefined, `?${new URLSearchParams(query)}`))),
      runs,
    )
  })

  it('answers any path and token', async () => {
    const { send, apiKey } = await openSession()
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE')
    const part = fc.oneof(fc.webSegment(), fc.constantFrom('v2', 'project', apiKey, 'archive', 'session', 'stream'))
    const path = fc.array(part, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`)
    const headers = fc.constantFrom({}, { [AUTH_HEADER]: 'a.b.c' }, { [AUTH_HEADER]: '' })
    await fc.assert(
      fc.asyncProperty(method, path, headers, async (method, path, headers) => {
        const { status, body } = await send(method, path, { headers })
        expect(status).not.toBe(500)
        if (status >= 400) errorBody.parse(body)
      }),
      { ...runs, numRuns: 200 },
    )
  })
})
