import { describe, expect, it } from 'vitest'
import type { BusEvent } from '../../../../../local/cloud/events/events.ts'
import { eventsOfShows } from '../../../../../local/simulation/invariants/model/events-of-shows.ts'
import { showWith } from '../made-up-evidence.ts'

const at = (seconds: number) => new Date(seconds * 1000).toISOString()
const event = (name: string, more: object = {}) => ({
  ...{ id: `a-show/${name}`, event: name, showId: 'a-show', stage: 'dev', at: at(10), labels: { team: 'a' } },
  ...more,
})
const opened = event('session.opened', { at: at(5) })
const started = event('recording.started', { name: 'program', part: 1 })
const ended = event('show.ended', { status: 'succeeded' })
const recordings = [{ name: 'program', part: 1, archiveId: 'one' }]
const check = (bus: object[], inbox: object[] = []) =>
  eventsOfShows({
    shows: [showWith({ request: { labels: { team: 'a' } }, result: { recordings }, state: { recordings } as never })],
    events: bus.map((detail) => ({ detail }) as unknown as BusEvent),
    callbacks: inbox.map((one) => ({ at: 0, url: '', headers: {}, body: JSON.stringify(one) })),
  })

describe('eventsOfShows', () => {
  it('accepts events that arrive again with their ids, in any order', () => {
    expect(check([ended, started, opened, started], [ended, opened, ended])).toEqual([])
  })

  it('takes two failures of one part for two events', () => {
    const failed = (id: string, reason: string) => event('recording.failed', { id, name: 'program', part: 1, reason })
    expect(check([opened, started, ended, failed('x', 'It did not start.'), failed('y', 'It broke.')])).toEqual([])
    expect(check([opened, started, ended, failed('x', 'It broke.'), failed('y', 'It broke.')])).toHaveLength(1)
  })

  it('takes two clips of one recording for two events', () => {
    const clip = (id: string, clipId: string) =>
      event('clip.published', { id, clipId, archiveId: 'one', name: 'program' })
    expect(check([opened, started, ended, clip('x', 'first'), clip('y', 'second')])).toEqual([])
    expect(check([opened, started, ended, clip('x', 'first'), clip('y', 'first')])).toHaveLength(1)
  })

  it('accepts events with the archives of their parts, and strays that are published', () => {
    const own = { ...started, archiveId: 'one' }
    const stray = event('recording.published', { name: 'program', part: 1, archiveId: 'stray' })
    const unknown = event('recording.failed', { name: 'program', part: 2, archiveId: 'two' })
    expect(check([opened, own, ended, stray, unknown])).toEqual([])
  })

  it.each<[string, object[], object[]]>([
    [
      'has an event recording.started of part 1 of program with the archive of another one',
      [opened, { ...started, archiveId: 'two' }, ended],
      [],
    ],
    ['has 2 ids for one event: show.ended', [opened, started, ended, { ...ended, id: 'again' }], []],
    ['posted an event that is not on the bus: show.ended (x)', [opened, started, ended], [{ ...ended, id: 'x' }]],
    ['has an event without its labels: show.ended', [opened, started, { ...ended, labels: {} }], []],
    ['has an event without the stage: show.ended', [opened, started, { ...ended, stage: '' }], []],
    ['has an event from before its session: show.ended', [opened, started, { ...ended, at: at(1) }], []],
    ['ended as failed by an event, and as succeeded', [opened, started, { ...ended, status: 'failed' }], []],
    ['has no event for the start of part 1 of program', [opened, ended], []],
  ])('finds that a show %s', (problem, bus, inbox) => {
    expect(check(bus, inbox).join('\n')).toContain(`the show a-show ${problem}`)
  })
})
