import { describe, expect, it } from 'vitest'
import { readableEntry } from '../../../../local/simulation/scale/show-file.ts'

const line = '    1.000 something'
const call = (name: string, more = {}) => ({ at: 1, line, call: { caller: 'WatchShow/7', name, status: 200, ...more } })

describe('readableEntry', () => {
  it('keeps faults, and calls that invariants read, without the line', () => {
    expect(readableEntry({ at: 1, line, fault: '500' })).toEqual({ at: 1, line: '', fault: '500' })
    expect(readableEntry(call('platform listArchives', { path: '/v2/1' }))).toEqual({
      at: 1,
      line: '',
      call: { caller: 'WatchShow', name: 'platform listArchives', status: 200 },
    })
  })

  it('keeps paths and versions of stops and writes', () => {
    for (const entry of [call('platform stopArchive', { path: '/a/stop' }), call('s3 PutObject a', { version: '1' })])
      expect(readableEntry(entry)).toEqual({ ...entry, line: '' })
  })

  it('shares one object between equal calls', () => {
    const [one, other] = [call('platform listArchives'), call('platform listArchives')].map(readableEntry)
    expect(one?.call).toBe(other?.call)
  })

  it('keeps the invocations of the task that stops a show', () => {
    const entry = { at: 1, line: '    1.000 cloud -> StopShow invoked' }
    expect(readableEntry(entry)).toEqual(entry)
  })

  it('drops the rest', () => {
    expect(readableEntry(call('s3 GetObject shows/a/state.json'))).toBeUndefined()
    expect(readableEntry({ at: 1, line })).toBeUndefined()
  })
})
