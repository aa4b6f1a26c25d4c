import { describe, expect, it } from 'vitest'
import { rescuedAfterFetch } from '../../../../../local/simulation/invariants/uploads/rescued-after-fetch.ts'
import { edit } from '../edits/edits.ts'
import { showWith, version, write } from '../made-up-evidence.ts'

const recordings = [{ name: 'program', part: 1, tag: 'a-show/program/1', archiveId: 'one', rescued: true }]
const state = version('state', 'shows/a-show/state.json', { text: JSON.stringify({ recordings }) })
const file = version('file', '1234/one/archive.mp4')
const stored = write('file', 'RescueArchive')
const noted = write('state', 'RescueArchive')

const judge = (
  versions: readonly (typeof state)[],
  trace: readonly (typeof stored)[],
  apiRequests: readonly object[] = [],
) =>
  rescuedAfterFetch({
    shows: [showWith()],
    versions: [...versions],
    trace: [...trace],
    apiRequests: apiRequests as never,
  })

describe('rescuedAfterFetch', () => {
  it('accepts a state that names the archive after its file was stored', () => {
    expect(judge([state, file], [stored, noted])).toEqual([])
  })

  it.each([
    ['before', [state, file], [noted, stored]],
    ['although it never was', [state], [noted]],
  ])('finds one that names it %s', (_, versions, trace) => {
    expect(judge(versions, trace)).toEqual([
      'the archive a-show/program/1 was named as rescued before its file was stored',
    ])
  })

  it('excuses an archive that was deleted, of which no version is left', () => {
    expect(judge([state], [noted], [edit('DELETE')])).toEqual([])
  })
})
