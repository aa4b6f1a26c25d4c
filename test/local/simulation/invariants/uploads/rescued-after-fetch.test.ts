import { describe, expect, it } from 'vitest'
import { rescuedAfterFetch } from '../../../../../local/simulation/invariants/uploads/rescued-after-fetch.ts'
import { showWith, version, write } from '../made-up-evidence.ts'

const recordings = [{ name: 'program', part: 1, tag: 'a-show/program/1', archiveId: 'one', rescued: true }]
const state = version('state', 'shows/a-show/state.json', { text: JSON.stringify({ recordings }) })
const file = version('file', '1234/one/archive.mp4')
const stored = write('file', 'RescueArchive')
const noted = write('state', 'RescueArchive')

describe('rescuedAfterFetch', () => {
  it('accepts a state that names the archive after its file was stored', () => {
    expect(rescuedAfterFetch({ shows: [showWith()], versions: [state, file], trace: [stored, noted] })).toEqual([])
  })

  it.each([
    ['before', [state, file], [noted, stored]],
    ['although it never was', [state], [noted]],
  ])('finds one that names it %s', (_, versions, trace) => {
    expect(rescuedAfterFetch({ shows: [showWith()], versions, trace })).toEqual([
      'the archive a-show/program/1 was named as rescued before its file was stored',
    ])
  })
})
