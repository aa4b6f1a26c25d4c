import { describe, expect, it } from 'vitest'
import { deletedIn, editsIn } from '../../../../../local/simulation/invariants/requests/edits-of.ts'
import { rebuiltFormats } from '../../../../../local/simulation/invariants/requests/rebuilds.ts'
import { edit, evidenceOf } from '../edits/edits.ts'

describe('editsIn', () => {
  it('reads the route of each request, and leaves out reads', () => {
    const requests = [edit('GET'), edit('DELETE', '?permanently=true'), edit('PUT', '/captions/pt-BR')]
    expect(editsIn(evidenceOf(requests))).toMatchObject([
      { archiveId: 'one', action: 'DELETE', of: '', permanently: true },
      { archiveId: 'one', action: 'PUT captions', of: 'pt-BR', permanently: false },
    ])
  })
})

describe('deletedIn', () => {
  const deleted = (...requests: object[]) => [...deletedIn(evidenceOf(requests))]
  const restore = edit('POST', '/restore')

  it('names recordings whose deletion was done or may have been, until they are restored', () => {
    expect(deleted(edit('DELETE'))).toEqual(['one'])
    expect(deleted(edit('DELETE', '', { status: undefined }))).toEqual(['one'])
    expect(deleted(edit('DELETE', '', { status: 409 }))).toEqual([])
    expect(deleted(edit('DELETE'), restore)).toEqual([])
    expect(deleted(edit('DELETE'), { ...restore, status: 500 })).toEqual(['one'])
  })
})

describe('deletedIn after a restoration', () => {
  it('names a recording of which a late call may have hidden an object again', () => {
    const judge = (key: string) => {
      const line = `fault: Api/2 -> s3 DeleteObject ${key} delayed`
      const evidence = evidenceOf([edit('DELETE'), edit('POST', '/restore')])
      return [...deletedIn({ ...evidence, trace: [{ at: 0, line, fault: 'delayed' }] })]
    }
    expect(judge('index/recordings/1-one')).toEqual(['one'])
    expect(judge('index/recordings/1-two')).toEqual([])
  })
})

describe('rebuiltFormats', () => {
  it('names the formats of all rebuilds', () => {
    const rebuilds = [edit('POST', '/rebuild'), edit('POST', '/rebuild', { body: '{"formats":["poster"]}' })]
    expect(rebuiltFormats(evidenceOf(rebuilds), 'one')).toEqual(['poster'])
  })
})
