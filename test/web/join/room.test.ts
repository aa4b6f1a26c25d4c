import { describe, expect, it } from 'vitest'
import {
  announcementsOf,
  emptyRoom,
  nameOf,
  type Room,
  tilesOf,
  withPeople,
  withSignal,
} from '../../../web/join/room.ts'
import type { ConnectionInfo, StreamInfo } from '../../../web/session/protocol.ts'

const stream = (id: string, connectionId: string, changes: Partial<StreamInfo> = {}): StreamInfo => ({
  ...{ id, connectionId, createdAt: 0, name: '', videoType: 'camera', hasAudio: true, hasVideo: true },
  layoutClassList: [],
  ...changes,
})
const connection = (id: string, data?: string): ConnectionInfo => ({ id, createdAt: 0, ...(data && { data }) })
const [ada, app, linus] = [connection('ada', 'Ada'), connection('app', '{"user":7}'), connection('linus', ' Linus ')]
const ofAda = stream('s-ada', 'ada', { name: 'Ada L.' })
const joined = withPeople(emptyRoom('Grace'), { connectionId: 'me', connections: [ada, app], streams: [ofAda] })

const after = (room: Room, ...signals: readonly (readonly [from: string, type: string, data: string])[]): Room =>
  signals.reduce((before, [from, type, data]) => withSignal(before, { from, type, data }, 1_000), room)

describe('withSignal', () => {
  it('keeps hands in the order in which they were raised', () => {
    const up = after(joined, ['app', 'hand', 'up'], ['ada', 'hand', 'up'], ['app', 'hand', 'up'])
    expect(up.hands).toEqual(['app', 'ada'])
    expect(after(up, ['app', 'hand', 'down']).hands).toEqual(['ada'])
  })

  it('adds the chat and messages of the show, and no signals of other apps', () => {
    const { messages } = after(
      joined,
      ['ada', 'chat', 'Hello'],
      ['me', 'chat', 'Good evening'],
      ['', 'recording', 'We record now.'],
      ['ada', 'cursor', '7,9'],
    )
    expect(messages).toEqual([
      { id: 1, from: 'Ada L.', isOwn: false, text: 'Hello', at: 1_000 },
      { id: 2, from: 'Grace', isOwn: true, text: 'Good evening', at: 1_000 },
      { id: 3, from: '', isOwn: false, text: 'We record now.', at: 1_000 },
    ])
  })

  it('keeps the newest 500 messages, each with its own id', () => {
    const many = Array.from({ length: 503 }, (_, index) => ['ada', 'chat', `${index}`] as const)
    const { messages } = after(joined, ...many)
    expect([messages.length, messages[0]?.text, messages.at(-1)?.id]).toEqual([500, '3', 503])
  })
})

describe('withPeople', () => {
  it('lowers the hands of clients that left, and keeps the chat in another visit', () => {
    const room = after(joined, ['ada', 'hand', 'up'], ['me', 'hand', 'up'], ['ada', 'chat', 'Hello'])
    expect(withPeople(room, { connectionId: 'me', connections: [app], streams: [] }).hands).toEqual(['me'])
    const again = withPeople(room, { connectionId: 'me-2', connections: [ada], streams: [ofAda] })
    expect([again.ownId, again.hands, again.messages.length]).toEqual(['me-2', ['ada'], 1])
  })
})

describe('nameOf', () => {
  it('takes the stream, then connection data that is a name', () => {
    const room = { ...joined, connections: [ada, app, linus] }
    const names = ['me', 'ada', 'linus', 'app', 'gone'].map((id) => nameOf(room, id))
    expect(names).toEqual(['Grace', 'Ada L.', 'Linus', 'A participant', 'A participant'])
  })
})

describe('tilesOf', () => {
  it('has screens, cameras, and then those who publish nothing', () => {
    const streams = [ofAda, stream('x-ada', 'ada', { videoType: 'screen', name: 'Ada L.' })]
    const room = after({ ...joined, streams }, ['ada', 'hand', 'up'])
    expect(tilesOf(room).map(({ key, kind, name, hasHand }) => [key, kind, name, hasHand])).toEqual([
      ['x-ada', 'screen', 'Ada L.', false],
      ['s-ada', 'camera', 'Ada L.', true],
      ['app', 'camera', 'A participant', false],
    ])
  })

  it('has a tile for a participant who only shares a screen', () => {
    const streams = [stream('x', 'ada', { videoType: 'screen' })]
    const tiles = tilesOf({ ...joined, connections: [ada], streams })
    expect(tiles.map(({ key, isPublished }) => [key, isPublished])).toEqual([
      ['x', true],
      ['ada', false],
    ])
  })
})

describe('announcementsOf', () => {
  it('names who joins, leaves, shares, raises a hand and writes', () => {
    const streams = [stream('x', 'linus', { videoType: 'screen' })]
    const people = withPeople(joined, { connectionId: 'me', connections: [app, linus], streams })
    const room = after(people, ['linus', 'hand', 'up'], ['linus', 'chat', 'Hello'], ['', 'news', 'We start.'])
    expect(announcementsOf(joined, room)).toEqual([
      'Linus has joined.',
      'Ada L. has left.',
      'Linus shares a screen.',
      'Linus has raised a hand.',
      'Linus: Hello',
      'Message: We start.',
    ])
  })

  it('is silent about the participant, lowered hands and what stays', () => {
    const raised = after(joined, ['ada', 'hand', 'up'])
    expect(announcementsOf(raised, after(raised, ['ada', 'hand', 'down']))).toEqual([])
    expect(announcementsOf(joined, after(joined, ['me', 'chat', 'Hello'], ['me', 'hand', 'up']))).toEqual([])
  })
})
