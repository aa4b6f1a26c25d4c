import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Manifest } from '../../../lib/publish/manifest/manifest.ts'
import { show } from '../../../lib/show/document/show.ts'
import { keys } from '../../../lib/show/state/keys.ts'
import type { ShowResult } from '../../../lib/show/state/result.ts'
import type { ShowState } from '../../../lib/show/state/state.ts'
import { StorageError } from '../../../lib/tasks/errors.ts'
import { openWorld, START_TIME, type World, webinar } from '../../support/world.ts'

let world: World
beforeEach(() => {
  world = openWorld()
})
afterEach(() => world.close())

const at = (second: number) => new Date(Date.parse(START_TIME) + second * 1000).toISOString()

const request = (showId: string, acceptedAt: string = START_TIME, name = 'Launch webinar') => ({
  version: 1 as const,
  showId,
  acceptedAt,
  show: show.parse({ ...webinar, name }),
})

const manifestOf = (archiveId: string, createdAt: string, status: Manifest['status'] = 'complete'): Manifest => ({
  version: 1,
  archiveId,
  createdAt,
  status,
  access: 'signed',
  source: { key: keys.archive('1', archiveId), size: 1, sha256: null },
  duration: 0,
  video: null,
  audio: null,
  files: [],
})

/** A change to a state that adds to its timeline. */
const happened = (name: string) => (state: ShowState) => ({
  ...state,
  timeline: [...state.timeline, { at: START_TIME, what: 'recording.started' as const, name }],
})

describe('createRecords', () => {
  it('records a show with the state it starts in', async () => {
    const { records } = world.services
    await records.acceptShow(request('one'))
    expect(await records.readRequest('one')).toEqual(request('one'))
    expect(await records.readState('one')).toEqual({
      version: 1,
      showId: 'one',
      name: 'Launch webinar',
      status: 'starting',
      acceptedAt: START_TIME,
      recordings: [
        { name: 'program', part: 1, tag: 'one/program/1' },
        { name: 'speakers', part: 1, tag: 'one/speakers/1' },
      ],
      broadcasts: [{ name: 'live', part: 1, tag: 'one/live/1' }],
      scenes: [],
      dialIns: [],
      controls: [],
      closings: 0,
      timeline: [],
    })
    expect(await records.readResult('one')).toBeUndefined()
  })

  it('leaves the first request and its state as they are', async () => {
    const { records } = world.services
    await records.acceptShow(request('one'))
    await records.updateState('one', happened('a'))
    const again = await records.acceptShow(request('one', '2026-11-20T09:00:05.000Z', 'Another'))
    expect(again).toEqual(request('one'))
    expect((await records.readState('one'))?.timeline).toHaveLength(1)
    expect((await records.listShows({ limit: 10 })).items).toEqual(['one'])
  })

  it.each([3, 4])('completes an acceptance whose write %i failed', async (failing) => {
    const { records } = world.services
    let puts = 0
    world.interceptors.aws = async (request, pass) =>
      request.method === 'PUT' && ++puts === failing ? new Response(null, { status: 503 }) : pass()
    await expect(records.acceptShow(request('one'))).rejects.toThrow(StorageError)
    expect(await records.readState('one')).toBeUndefined()
    await records.acceptShow(request('one', '2026-11-20T09:00:05.000Z'))
    expect(await records.readState('one')).toMatchObject({ acceptedAt: START_TIME, status: 'starting' })
    expect((await records.listShows({ limit: 10 })).items).toEqual(['one'])
  })

  it('keeps every change when many change a state at once', async () => {
    const { records } = world.services
    await records.acceptShow(request('one'))
    const names = ['a', 'b', 'c', 'd', 'e']
    await Promise.all(names.map((name) => records.updateState('one', happened(name))))
    const timeline = (await records.readState('one'))?.timeline ?? []
    expect(timeline.map(({ name }) => name).sort()).toEqual(names)
  })

  it('writes no state that is as it was', async () => {
    const { records } = world.services
    await records.acceptShow(request('one'))
    let writes = 0
    world.interceptors.aws = (request, pass) => {
      if (request.method === 'PUT') writes++
      return pass()
    }
    await records.updateState('one', (state) => ({ ...state, recordings: [...state.recordings] }))
    expect(writes).toBe(0)
  })

  it('shows what will be written before it is, each time', async () => {
    const { records } = world.services
    await records.acceptShow(request('one'))
    const shown: string[] = []
    let isFirst = true
    await records.updateState('one', happened('a'), async (next, latest) => {
      shown.push(`${latest.timeline.length} to ${next.timeline.length}`)
      if (isFirst) await records.updateState('one', happened('b'))
      isFirst = false
    })
    expect(shown).toEqual(['0 to 1', '1 to 2'])
    expect((await records.readState('one'))?.timeline.map(({ name }) => name)).toEqual(['b', 'a'])
  })

  it('lists a show as unfinished from before it is recorded until it is settled', async () => {
    const { records } = world.services
    world.interceptors.aws = async (request, pass) =>
      request.url.includes('request.json') ? new Response(null, { status: 503 }) : pass()
    await expect(records.acceptShow(request('one'))).rejects.toThrow(StorageError)
    expect(await Array.fromAsync(records.eachUnfinished())).toEqual(['one'])
    await records.settle('one')
    await records.settle('one')
    expect(await Array.fromAsync(records.eachUnfinished())).toEqual([])
  })

  it('fails for a state that is rewritten every time, and for a missing one', async () => {
    const { records } = world.services
    await expect(records.updateState('none', happened('a'))).rejects.toThrow('The show none has no state.')
    await records.acceptShow(request('one'))
    world.interceptors.aws = async (request, pass) =>
      request.method === 'PUT' ? new Response(null, { status: 412 }) : pass()
    await expect(records.updateState('one', happened('a'))).rejects.toThrow(
      new StorageError('The state of show one was rewritten 20 times while it was changed.'),
    )
  })

  it('writes a result once: a second report gets the first one', async () => {
    const { records } = world.services
    const result: ShowResult = {
      version: 1,
      showId: 'one',
      name: 'Launch webinar',
      status: 'succeeded',
      reason: 'The planned end was reached.',
      labels: {},
      acceptedAt: START_TIME,
      reportedAt: START_TIME,
      recordings: [],
      broadcasts: [],
      scenes: [],
      dialIns: [],
      automaticArchives: [],
      timeline: [],
    }
    expect(await records.writeResult(result)).toEqual(result)
    expect(await records.writeResult({ ...result, status: 'failed', reason: 'Late.' })).toEqual(result)
    expect(await records.readResult('one')).toEqual(result)
  })

  it('lists shows newest first, page by page', async () => {
    const { records } = world.services
    for (const [index, id] of ['first', 'second', 'third'].entries()) await records.acceptShow(request(id, at(index)))
    const page = await records.listShows({ limit: 2 })
    expect(page.items).toEqual(['third', 'second'])
    const next = await records.listShows({ limit: 2, after: page.cursor ?? '' })
    expect(next).toEqual({ items: ['first'] })
  })

  const isCurrent = async () => true

  it('lists each recording once, whenever it is published', async () => {
    const { records } = world.services
    await records.writeManifest(manifestOf('older', at(0)), isCurrent)
    await records.writeManifest(manifestOf('newer', at(1), 'failed'), isCurrent)
    expect(await records.writeManifest(manifestOf('newer', at(2)), isCurrent)).toBe(true)
    expect(await records.writeManifest(manifestOf('newer', at(3), 'failed'), async () => false)).toBe(false)
    expect(await records.readManifest('newer')).toMatchObject({ status: 'complete', createdAt: at(1) })
    expect((await records.listRecordings({ limit: 10 })).items).toEqual(['newer', 'older'])
  })

  it('reports a document that it cannot read', async () => {
    const { records, storage } = world.services
    await storage.writeDocument(keys.state('one'), { version: 9 }, undefined)
    await expect(records.readState('one')).rejects.toThrow(
      /^shows\/one\/state.json is not a document that this version of Showrunner reads \(version: [^)]*; /,
    )
  })
})
