import { describe, expect, it } from 'vitest'
import { withheldFiles } from '../../../../../local/simulation/invariants/publishing/withheld-files.ts'
import type { TraceEntry } from '../../../../../local/simulation/trace.ts'

const ID = '1e4a26a1-e07e-45d6-8593-dcdb2f78a4e8'
const KEY = `1234/${ID}/archive.mp4`
const replaced: TraceEntry = {
  at: 0,
  line: `the file ${KEY} is replaced by another with the ETag e`,
  unnoticed: 'replaced file',
}
const objectOf = (text: string, size = text.length) => ({ text, size, sha256: '' })
const judge = (manifest: object, trace = [replaced], before: object = manifest) =>
  withheldFiles({
    objects: new Map([
      [KEY, objectOf('', 50)],
      [`recordings/${ID}/manifest.json`, objectOf(JSON.stringify(manifest))],
    ]),
    versions: [{ key: `recordings/${ID}/manifest.json`, text: JSON.stringify(before) }],
    ...{ executions: [], messages: [], apiRequests: [], trace },
  } as unknown as Parameters<typeof withheldFiles>[0])

describe('withheldFiles', () => {
  it('accepts a publication of the whole file that names the withheld one, and files that nothing replaced', () => {
    expect(judge({ status: 'complete', source: { size: 100 }, withheld: { size: 50 } })).toEqual([])
    expect(judge({ status: 'ready', source: { size: 100 }, withheld: { size: 50 } })).toEqual([])
    expect(judge({ status: 'failed', source: { size: 50 } }, [])).toEqual([])
  })

  it('finds a publication that was replaced with its file', () => {
    const words = `${KEY} was replaced by an incomplete file, and its publication with it`
    expect(judge({ status: 'failed', source: { size: 50 } })).toEqual([words])
    expect(judge({ status: 'complete', source: { size: 50 } })).toEqual([words])
    const ready = { status: 'ready', source: { size: 100 }, withheld: { size: 50 } }
    expect(judge(ready, [replaced], { ...ready, status: 'complete' })).toEqual([words])
  })

  it('finds a replaced file that nothing reports', () => {
    expect(judge({ status: 'complete', source: { size: 100 } })).toEqual([
      `${KEY} was replaced, and nothing reports it to an operator`,
    ])
  })
})
