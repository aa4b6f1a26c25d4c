import { describe, expect, it } from 'vitest'
import type { KnownRecording, Recording, Show } from '../../../web/console/answers.ts'
import {
  greenRoomOf,
  isBusy,
  isPictureAwaited,
  joinLinkOf,
  linkedRecording,
  progress,
  recordingToPlay,
  waitingWithoutShow,
} from '../../../web/console/model.ts'
import { endedShow, liveShow, publishedRecording } from './documents.ts'

const liveAt = '2026-03-01T10:00:00Z'
const start = Date.parse(liveAt)

const show = (changes: Partial<Show> = {}): Show =>
  liveShow({ acceptedAt: '2026-03-01T09:59:50Z', liveAt, plannedEndAt: '2026-03-01T10:00:20Z', ...changes })
const endedAt = '2026-03-01T10:00:20Z'
const over = endedShow(show())

const recording = (link: string, changes: Partial<Recording> = {}): Recording =>
  publishedRecording({
    createdAt: liveAt,
    source: { key: 'k', size: 1, sha256: null, url: `http://127.0.0.1:1/k?${link}` },
    files: [{ role: 'poster', key: 'p', url: `http://127.0.0.1:1/p?${link}` }],
    watch: { url: `http://127.0.0.1:1/watch/1?${link}` },
    ...changes,
  })
const known = (changes: Partial<Recording> = {}): KnownRecording => ({ ...recording('one', changes), linkedAt: start })

describe('progress', () => {
  it('counts down while the show is live', () => {
    expect(progress(show(), start + 5_000)).toEqual({ label: 'until the end', seconds: 15, fraction: 0.25 })
  })

  it('counts up in a show with an open end', () => {
    expect(progress(show({ openEnd: true }), start + 5_000)).toEqual({ label: 'live, with an open end', seconds: 5 })
  })

  it('counts up before the show is live, and after the planned end', () => {
    const waiting = { ...show({ status: 'waiting' }), liveAt: undefined, plannedEndAt: undefined } as unknown as Show
    expect(progress(waiting, start)).toEqual({ label: 'waiting for a participant to connect', seconds: 10 })
    expect(progress(show(), start + 23_000)).toMatchObject({ label: 'past the planned end', seconds: 3 })
    expect(progress(show({ status: 'ending' }), start + 23_000)).toMatchObject({ label: 'waiting for the files' })
  })

  it('returns nothing once the show is over', () => {
    expect(progress(over, start)).toBeUndefined()
  })
})

describe('isBusy', () => {
  it('is true while a show runs and for a minute after', () => {
    expect(isBusy([show()], start)).toBe(true)
    expect(isBusy([over], Date.parse(endedAt) + 59_000)).toBe(true)
    expect(isBusy([over], Date.parse(endedAt) + 61_000)).toBe(false)
  })

  it('is false for a scheduled show', () => {
    expect(isBusy([show({ status: 'scheduled' })], start)).toBe(false)
    expect(progress(show({ status: 'scheduled' }), start)).toBeUndefined()
  })

  it('is false for an abandoned show', () => {
    expect(isBusy([show()], start + 2 * 3_600_000)).toBe(false)
  })
})

describe('linkedRecording', () => {
  it('names a recording after its show', () => {
    const ofShow = { show: { showId: 'a', name: 'program', part: 2 }, page: { title: 'Launch' } }
    expect(linkedRecording(recording('one', ofShow), undefined, start)).toMatchObject({
      ...{ name: 'program (part 2)', showName: 'Launch', linkedAt: start },
    })
    expect(linkedRecording(recording('one'), undefined, start)).not.toHaveProperty('name')
  })

  it('keeps links while they are valid, so that playback is not restarted', () => {
    const linked = linkedRecording(recording('two', { status: 'failed' }), known(), start + 60_000)
    expect(linked).toMatchObject({ status: 'failed', source: { url: known().source.url }, files: known().files })
  })

  it('replaces links before they expire', () => {
    const linked = linkedRecording(recording('two'), known(), start + 31 * 60_000)
    expect(linked.source.url).toBe('http://127.0.0.1:1/k?two')
    expect(linked.linkedAt).toBe(start + 31 * 60_000)
  })

  it('adds the link of a new file', () => {
    const before = known({ files: [] })
    expect(linkedRecording(recording('two'), before, start).files[0]?.url).toBe('http://127.0.0.1:1/p?two')
  })
})

describe('recordingToPlay', () => {
  it('returns the recording once the show is over', () => {
    expect(recordingToPlay(show(), [known()])).toBeUndefined()
    expect(recordingToPlay(over, [known()])).toEqual(known())
  })

  it('returns nothing if nothing can be played', () => {
    expect(recordingToPlay(over, [known({ status: 'failed' })])).toBeUndefined()
    expect(recordingToPlay(over, [])).toBeUndefined()
    expect(recordingToPlay(over, [known({ duration: null })])).toBeUndefined() // an individual archive
  })
})

describe('isPictureAwaited', () => {
  const document = (broadcasts: object[]) => ({ broadcasts }) as unknown as NonNullable<Show['document']>

  it('is true while a show runs that makes a playlist', () => {
    const hls = document([{ name: 'live', hls: {} }])
    expect(isPictureAwaited({ status: 'waiting', document: hls })).toBe(true)
    expect(isPictureAwaited({ status: 'scheduled', document: hls })).toBe(false)
    expect(isPictureAwaited({ status: 'ending', document: hls })).toBe(false)
    expect(isPictureAwaited({ status: 'live', document: document([{ name: 'live', rtmp: [] }]) })).toBe(false)
    expect(isPictureAwaited({ status: 'live' })).toBe(false)
  })
})

describe('joinLinkOf', () => {
  it('names the show, until it ends', () => {
    const link = (status: Show['status']) => joinLinkOf({ showId: 'a', status }, 'http://127.0.0.1:8/#come-in')
    expect(link('scheduled')).toBe('http://127.0.0.1:8/?show=a#come-in')
    expect(link('live')).toBe('http://127.0.0.1:8/?show=a#come-in')
    expect([link('ending'), link('failed')]).toEqual([undefined, undefined])
  })
})

describe('greenRoomOf', () => {
  const participants = [
    { name: 'Ada', hasJoined: true, sessionId: 's' },
    { name: 'Grace', hasJoined: false, showId: 'a' },
    { name: 'Linus', hasJoined: false, showId: 'b' },
    { name: 'Alan', hasJoined: false },
  ]
  const greenRoom = { joinUrl: '', participants }

  it('names who is there before the show is live', () => {
    const line = (status: Show['status']) => greenRoomOf({ showId: 'a', status, sessionId: 's' }, greenRoom)
    expect(line('waiting')).toBe('Green room: Ada, Grace (waits)')
    expect(line('live')).toBeUndefined()
    expect(greenRoomOf({ showId: 'c', status: 'scheduled' }, greenRoom)).toBeUndefined()
  })

  it('has a line for those who wait without a show', () => {
    expect(waitingWithoutShow(greenRoom)).toBe('Waiting for a show on the join page: Alan')
    expect(waitingWithoutShow({ joinUrl: '', participants: [] })).toBeUndefined()
  })
})
