import { describe, expect, it } from 'vitest'
import { steadyParts } from '../../../../../local/simulation/invariants/parts/steady-parts.ts'
import { version } from '../made-up-evidence.ts'

const STATE = 'shows/a-show/state.json'
const recorded = (archiveId?: string, part = 1) => ({ recordings: [{ name: 'program', part, archiveId }] })
const broadcast = (broadcastId?: string, name = 'live') => ({ broadcasts: [{ name, part: 1, broadcastId }] })

/** Judges versions of documents, by default of the state of one show. */
const judge = (...documents: readonly (object | readonly [key: string, document: object])[]) =>
  steadyParts({
    versions: documents.map((one, index) => {
      const [key, document] = Array.isArray(one) ? (one as [string, object]) : [STATE, one]
      return version(`${index}`, key, { text: JSON.stringify(document) })
    }),
  })

describe('steadyParts', () => {
  it('accepts parts that keep what their show has noted', () => {
    expect(judge({}, recorded(), recorded('a'), recorded('a'))).toEqual([])
    expect(judge(broadcast(), broadcast('b'), broadcast('b'))).toEqual([])
  })

  it('finds a part whose archive or broadcast is replaced', () => {
    const problem = ['the recording program/1 of the show a-show is b, and was a']
    expect(judge(recorded('a'), recorded('b'))).toEqual(problem)
    expect(judge(recorded('a'), recorded(), recorded('b'))).toEqual(problem)
    expect(judge(broadcast('a'), broadcast('b'))).toEqual(['the broadcast live/1 of the show a-show is b, and was a'])
  })

  it('reports each replacement once', () => {
    expect(judge(recorded('a'), recorded('b'), recorded('b'))).toHaveLength(1)
    expect(judge(recorded('a'), recorded('b'), recorded('a'))).toHaveLength(2)
  })

  it('accepts another archive of another part, name, kind and show', () => {
    expect(judge(recorded('a'), recorded('b', 2))).toEqual([])
    expect(judge(broadcast('a'), broadcast('b', 'backup'))).toEqual([])
    expect(judge(recorded('a'), broadcast('b', 'program'))).toEqual([])
    expect(judge(recorded('a'), ['shows/another/state.json', recorded('b')])).toEqual([])
  })

  it('judges only states, and not those that were deleted', () => {
    expect(judge(recorded('a'), ['shows/a-show/result.json', recorded('b')])).toEqual([])
    expect(steadyParts({ versions: [version('1', STATE), version('2', 'shows/a-show/request.json')] })).toEqual([])
  })
})
