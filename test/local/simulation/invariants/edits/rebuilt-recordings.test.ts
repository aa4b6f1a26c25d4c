import { describe, expect, it } from 'vitest'
import { rebuiltRecordings } from '../../../../../local/simulation/invariants/edits/rebuilt-recordings.ts'
import { edit, evidenceOf } from './edits.ts'

const name = 'one-rebuild-1'
const rebuild = edit('POST', '/rebuild', {
  ...{ status: 202, body: '{"formats":["poster"]}', answer: JSON.stringify({ executionName: name }) },
})
const input = { key: '1234/one/archive.mp4', formats: ['poster'] }
const judge = (changed: object, named = name) =>
  rebuiltRecordings(
    evidenceOf([rebuild], {
      executions: [{ machine: 'publish', name: named, input: JSON.stringify({ ...input, ...changed }) }],
    }),
  )

describe('rebuiltRecordings', () => {
  it('accepts a rebuild with an execution that makes its formats', () => {
    expect(judge({})).toEqual([])
  })

  it('accepts a rebuild of a joined recording that publishes its first part', () => {
    const joined = { ...rebuild, path: '/recordings/one-joined/rebuild' }
    const answer = JSON.stringify({ executionName: 'one-joined-rebuild-1' })
    const executions = [{ machine: 'publish', name: 'one-joined-rebuild-1', input: JSON.stringify(input) }]
    expect(rebuiltRecordings(evidenceOf([{ ...joined, answer }], { executions }))).toEqual([])
  })

  it('finds a rebuild without an execution, and one of another file or with other formats', () => {
    expect(judge({}, 'one-rebuild-2')).toEqual(['a rebuild of one has no execution'])
    expect(judge({ formats: undefined })).toEqual(['a rebuild of one makes other formats'])
    expect(judge({ key: '1234/two/archive.mp4' })).toEqual(['a rebuild of one publishes 1234/two/archive.mp4'])
  })
})
