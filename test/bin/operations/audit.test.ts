import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { auditedCalls, auditQueryOf } from '../../../bin/operations/audit.ts'

const call = (changes: object = {}) => ({
  caller: 'ann',
  route: 'POST /shows/{id}/stop',
  path: '/shows/a-show/stop',
  status: '200',
  functionRequestId: 'request-1',
  ...changes,
})
const line = (changes: object = {}, name = 'AccessLog') => ({
  at: '2026-11-20T09:00:00.000Z',
  name,
  text: JSON.stringify(call(changes)),
})

describe('auditedCalls', () => {
  it('lists callers and routes, including refused calls', () => {
    const refused = { caller: '-', status: '401', functionRequestId: '-' }
    expect(auditedCalls([line(), line(refused)])).toEqual([
      { at: '2026-11-20T09:00:00.000Z', ...call() },
      { at: '2026-11-20T09:00:00.000Z', ...call(refused) },
    ])
  })

  it('lists the calls of one show or recording, and not those of an id with the same start', () => {
    const others = [line({ path: '/shows/a-show-2/stop' }), line({ path: '/shows' })]
    expect(auditedCalls([...others, line()], 'a-show').map(({ path }) => path)).toEqual(['/shows/a-show/stop'])
  })

  it('ignores the lines of functions, and a truncated line', () => {
    expect(auditedCalls([line({}, 'Api'), { ...line(), text: '{"caller":"an' }])).toEqual([])
  })
})

describe('auditQueryOf', () => {
  it('is the query of the runbook', () => {
    const runbook = readFileSync(new URL('../../../docs/runbook.md', import.meta.url), 'utf8')
    expect(runbook).toContain(`\n${auditQueryOf('STAGE', 'ID')}\n`)
  })
})
