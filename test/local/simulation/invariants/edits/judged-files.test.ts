import { describe, expect, it } from 'vitest'
import { EARLY_REBUILD } from '../../../../../local/simulation/generator/edits/edit-requests.ts'
import { judgedFiles } from '../../../../../local/simulation/invariants/edits/judged-files.ts'
import { edit, evidenceOf } from './edits.ts'

const accept = edit('POST', '/accept', { status: 202 })
const reject = edit('POST', '/reject')
const judge = (request: object, manifest: object) =>
  judgedFiles(evidenceOf([request], { manifest, objects: { '1234/one/archive.mp4': 'half' } }))
const current = { source: { size: 4, sha256: null } }

describe('judgedFiles', () => {
  it('accepts a current file that is published, after each decision', () => {
    expect(judge(accept, current)).toEqual([])
    expect(judge(reject, current)).toEqual([])
    expect(judge({ ...reject, status: 409 }, { source: { size: 8, sha256: null } })).toEqual([])
  })

  it('finds a decision without its effect', () => {
    expect(judge(reject, { source: { size: 8, sha256: null }, withheld: {} })).toEqual([
      'a file of one was rejected, and the current one is not the published one',
      'a file of one was rejected, and is still withheld',
    ])
    expect(judge(accept, { source: { size: 4, sha256: 'another' } })).toEqual([
      'a file of one was accepted, and the current one is not the published one',
    ])
  })

  it('finds a recording that was rebuilt while its file was withheld', () => {
    const rebuild = edit('POST', '/rebuild', { key: EARLY_REBUILD, status: 202 })
    expect(judge(rebuild, current)).toEqual(['one was rebuilt while its file was withheld'])
    expect(judge({ ...rebuild, status: 409 }, current)).toEqual([])
  })
})
