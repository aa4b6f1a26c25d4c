import type { ConnectionInfo, StreamInfo } from '../session/protocol.ts'

/** A message of the chat. */
export interface ChatMessage {
  readonly id: number
  /** Name of the sender. Empty for a message of the show. */
  readonly from: string
  readonly isOwn: boolean
  readonly text: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Everyone in the session, and what they have sent. */
export interface Room {
  /** Id of the own connection; empty before the first join. */
  readonly ownId: string
  readonly ownName: string
  /** The other clients. */
  readonly connections: readonly ConnectionInfo[]
  /** The streams of the others. */
  readonly streams: readonly StreamInfo[]
  /** Connections with a raised hand, the first to raise it first. */
  readonly hands: readonly string[]
  readonly messages: readonly ChatMessage[]
}

/** A signal of the session. `from` is empty for a signal of the server. */
export interface Signal {
  readonly from: string
  readonly type?: string | undefined
  readonly data: string
}

/** Types of the signals that this page sends and shows. */
export const CHAT = 'chat'
export const HAND = 'hand'

/** Messages that are kept. */
const MAX_MESSAGES = 500

export const emptyRoom = (ownName: string): Room => ({
  ownId: '',
  ownName,
  connections: [],
  streams: [],
  hands: [],
  messages: [],
})

/** Returns the room with the clients and streams that are in the session now. Hands of clients that left are lowered. */
export function withPeople(
  room: Room,
  {
    connectionId,
    connections,
    streams,
  }: {
    readonly connectionId?: string | undefined
    readonly connections: readonly ConnectionInfo[]
    readonly streams: readonly StreamInfo[]
  },
): Room {
  const ownId = connectionId ?? room.ownId
  const isHere = (id: string) => id === ownId || connections.some((one) => one.id === id)
  return { ...room, ownId, connections, streams, hands: room.hands.filter(isHere) }
}

/**
 * Returns the room after a signal: a raised hand, or a message. Signals of other pages and apps change nothing.
 * @param now milliseconds since the epoch
 */
export function withSignal(room: Room, { from, type, data }: Signal, now: number): Room {
  if (type === HAND && from !== '') {
    const others = room.hands.filter((id) => id !== from)
    if (data !== 'up') return { ...room, hands: others }
    return room.hands.includes(from) ? room : { ...room, hands: [...others, from] }
  }
  if (type !== CHAT && from !== '') return room
  const id = (room.messages.at(-1)?.id ?? 0) + 1
  const message = {
    id,
    from: from && nameOf(room, from),
    isOwn: from !== '' && from === room.ownId,
    text: data,
    at: now,
  }
  return { ...room, messages: [...room.messages, message].slice(-MAX_MESSAGES) }
}

/** Names a client: by its stream, else by its connection data, if that is a name. */
export function nameOf({ ownId, ownName, connections, streams }: Room, connectionId: string): string {
  if (connectionId === ownId) return ownName
  const ofStream = streams.find((stream) => stream.connectionId === connectionId && stream.name)?.name
  const data = connections.find(({ id }) => id === connectionId)?.data?.trim()
  const isName = data !== undefined && data !== '' && data.length <= 60 && !/^[{[]/.test(data)
  return ofStream ?? (isName ? data : 'A participant')
}

/** A picture in the grid: a stream, or a participant who publishes nothing. */
export interface Tile {
  /** Id of the stream, or of the connection without one. */
  readonly key: string
  readonly name: string
  readonly kind: 'camera' | 'screen'
  readonly isOwn: boolean
  readonly hasAudio: boolean
  readonly hasVideo: boolean
  readonly hasHand: boolean
  /** False for a participant who publishes nothing. */
  readonly isPublished: boolean
}

/** Returns the tiles of the others: screens, then cameras in the order of publishing, then those who publish nothing. */
export function tilesOf(room: Room): readonly Tile[] {
  const { streams, connections, hands } = room
  const ofStreams = streams.map(({ id, connectionId, name, videoType, hasAudio, hasVideo }): Tile => {
    const kind = videoType === 'screen' ? 'screen' : 'camera'
    const hasHand = kind === 'camera' && hands.includes(connectionId)
    const shown = { key: id, name: name || nameOf(room, connectionId), kind, hasHand } as const
    return { ...shown, isOwn: false, hasAudio, hasVideo, isPublished: true }
  })
  const isSeen = (connectionId: string) =>
    streams.some((one) => one.connectionId === connectionId && one.videoType !== 'screen')
  const silent = connections.filter(({ id }) => !isSeen(id))
  const ofOthers = silent.map(({ id }): Tile => {
    const shown = { key: id, name: nameOf(room, id), kind: 'camera', hasHand: hands.includes(id) } as const
    return { ...shown, isOwn: false, hasAudio: false, hasVideo: false, isPublished: false }
  })
  return [
    ...ofStreams.filter(({ kind }) => kind === 'screen'),
    ...ofStreams.filter(({ kind }) => kind === 'camera'),
    ...ofOthers,
  ]
}

/** Describes everything that differs between two states of the same visit, for a screen reader. */
export function announcementsOf(before: Room, after: Room): readonly string[] {
  const isIn = ({ connections }: Room) => new Set(connections.map(({ id }) => id))
  const [wasHere, isHere] = [isIn(before), isIn(after)]
  const screens = ({ streams }: Room) => streams.filter(({ videoType }) => videoType === 'screen')
  const shown = new Set(screens(before).map(({ id }) => id))
  return [
    ...after.connections.filter(({ id }) => !wasHere.has(id)).map(({ id }) => `${nameOf(after, id)} has joined.`),
    ...before.connections.filter(({ id }) => !isHere.has(id)).map(({ id }) => `${nameOf(before, id)} has left.`),
    ...screens(after)
      .filter(({ id }) => !shown.has(id))
      .map(({ connectionId }) => `${nameOf(after, connectionId)} shares a screen.`),
    ...after.hands
      .filter((id) => id !== after.ownId && !before.hands.includes(id))
      .map((id) => `${nameOf(after, id)} has raised a hand.`),
    ...after.messages
      .filter(({ id, isOwn }) => !isOwn && id > (before.messages.at(-1)?.id ?? 0))
      .map(({ from, text }) => `${from || 'Message'}: ${text}`),
  ]
}
