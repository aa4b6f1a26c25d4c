import { describe, expect, it } from 'vitest'
import { drawnLayouts } from '../../../../../local/simulation/invariants/controls/drawn-layouts.ts'
import { change, faultAt, showWith } from '../made-up-evidence.ts'

const noted = { what: 'control.layout', name: 'program', detail: 'The layout of the recording program is pip.' }

/** Judges a note at 100 s about the recording `program`, of which the part `one` runs from 0 to 200 s by default. */
const judge = (type: string, { note = {}, id = 'one', from = 0, to = 200, trace = [faultAt(0)] } = {}) =>
  drawnLayouts({
    trace,
    shows: [
      showWith({ state: { timeline: [{ id: 'n', at: new Date(100_000).toISOString(), ...noted, ...note }] as never } }),
    ],
    statusChanges: [
      change(from * 1000),
      change(to * 1000, { status: 'stopped' }),
      change(0, { kind: 'broadcast', id: 'two', tag: 'a-show/live/1', name: 'live' }),
    ],
    layouts: [{ at: 100_000, id, layout: { type } }] as never,
  })

describe('drawnLayouts', () => {
  it('accepts a layout that the part of its time drew', () => {
    expect(judge('pip')).toEqual([])
    expect(judge('pip', { note: { name: 'live' }, id: 'two' })).toEqual([])
  })

  it('accepts the last of several layouts that one note states', () => {
    const detail = 'The layout of the recording program is pip. The layout of the recording program is bestFit.'
    expect(judge('bestFit', { note: { detail } })).toEqual([])
    expect(judge('pip', { note: { detail } })).toHaveLength(1)
  })

  it('finds a layout that a show notes and its part did not draw', () => {
    const problem = ['the show a-show notes that program is drawn as pip, which it never was']
    expect(judge('bestFit')).toEqual(problem)
    expect(judge('pip', { id: 'two' })).toEqual(problem)
    expect(judge('bestFit', { note: { what: 'cue.layout' } })).toEqual(problem)
    expect(judge('bestFit', { note: { name: 'live' }, id: 'two' })).toEqual([
      'the show a-show notes that live is drawn as pip, which it never was',
    ])
  })

  it('judges only notes of layouts, and not those within a minute of the start or the end of a part', () => {
    expect(judge('bestFit', { note: { what: 'control.streams' } })).toEqual([])
    expect(judge('bestFit', { note: { detail: 'It was refused.' } })).toEqual([])
    expect(judge('bestFit', { from: 41 })).toEqual([])
    expect(judge('bestFit', { to: 159 })).toEqual([])
  })

  it('accepts a layout that is not drawn while the platform restarts', () => {
    expect(judge('bestFit', { trace: [faultAt(100_000, 'restart')] })).toEqual([])
    expect(judge('bestFit')).toHaveLength(1)
  })
})
