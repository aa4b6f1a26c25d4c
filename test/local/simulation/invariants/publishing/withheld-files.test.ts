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

  it('finds formats that are made of a file that is withheld', () => {
    const exited = (status: string) => ({
      type: 'TaskStateExited',
      stateExitedEventDetails: { name: 'Write first manifest', output: JSON.stringify({ archiveId: ID, status }) },
    })
    const entered = (name: string) => ({ type: 'TaskStateEntered', stateEnteredEventDetails: { name } })
    const judgeHistory = (...history: object[]) =>
      withheldFiles({
        objects: new Map(),
        executions: [{ machine: 'publish', name: 'a', input: '{}', history }],
      } as unknown as Parameters<typeof withheldFiles>[0])
    const made = ['a continues with a file that is not published: Make thumbnails']
    const withheld = exited('withheld')
    expect(judgeHistory(entered('Make poster'), withheld, entered('Write manifest'))).toEqual([])
    expect(judgeHistory(exited('ready'), entered('Make thumbnails'))).toEqual([])
    expect(judgeHistory(withheld, entered('Make thumbnails'), entered('Write manifest'))).toEqual(made)
    expect(judgeHistory(exited('replaced'), entered('Make thumbnails'))).toEqual(made)
  })
})
