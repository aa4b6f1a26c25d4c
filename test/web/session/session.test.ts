import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { joinSession, type ReceivedSignal } from '../../../web/session/session.ts'
import { cameraOf, createFakeBrowser, type FakeTrack } from './fake-browser.ts'

const settle = () => vi.advanceTimersByTimeAsync(0)
const others = (id: string, fields: object = {}) => ({
  ...{ id, connectionId: 'bob', createdAt: 0, name: 'Bob', videoType: 'camera' },
  ...{ hasAudio: true, hasVideo: true, layoutClassList: [], ...fields },
})
const joined = { type: 'joined', connectionId: 'ada', role: 'publisher', isMuted: false, connections: [], streams: [] }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function open() {
  const { browser, sockets, peers } = createFakeBrowser()
  const signals: ReceivedSignal[] = []
  let changes = 0
  const session = joinSession({
    ...{ url: 'http://127.0.0.1:1/', sessionId: 'a b', token: async () => `token ${sockets.length}`, browser },
    onChange: () => changes++,
    onSignal: (signal) => signals.push(signal),
  })
  const socket = () => sockets.at(-1) as (typeof sockets)[number]
  const peer = () => peers.at(-1) as (typeof peers)[number]
  /** Accepts the last socket, and the join on it. */
  async function enter(answer: object = {}) {
    await settle()
    socket().accept()
    socket().receive({ ...joined, ...answer })
    await settle()
  }
  /** Answers the offer of a publication, and connects it. */
  async function publish() {
    const camera = session.publish(cameraOf('audio', 'video'), { name: 'Ada' })
    await settle()
    socket().answer('publish', { type: 'published', id: 'own', sdp: 'answer' })
    await settle()
    peer().become('connected')
    socket().receive({ type: 'streamCreated', stream: others('own', { connectionId: 'ada' }) })
    await settle()
    return camera
  }
  return { session, sockets, peers, socket, peer, enter, publish, signals, changes: () => changes }
}

describe('joinSession', () => {
  it('joins with the token, and receives every stream of the others', async () => {
    const { session, socket, peer, peers, enter } = open()
    await enter({ streams: [others('one')] })
    expect(socket().url).toBe('ws://127.0.0.1:1/sandbox/sessions/a%20b/participants')
    expect(socket().sent[0]).toEqual({ type: 'join', token: 'token 0' })
    expect(socket().last('subscribe')).toMatchObject({ streamId: 'one', sdp: 'offer 1' })
    socket().answer('subscribe', { type: 'subscribed', id: 'sub', sdp: 'answer' })
    await settle()
    expect(peer().remoteDescription).toEqual({ type: 'answer', sdp: 'answer' })
    peer().ontrack?.({ track: { kind: 'video' } })
    peer().become('connected')
    await settle()
    expect(session.state).toMatchObject({ status: 'connected', connectionId: 'ada', role: 'publisher' })
    expect(session.state.streams).toMatchObject([{ id: 'one', name: 'Bob', status: 'connected' }])
    expect(session.state.streams[0]?.media.getTracks()).toEqual([{ kind: 'video' }])

    socket().receive({ type: 'streamChanged', stream: others('one', { hasVideo: false }) })
    await settle()
    expect(session.state.streams[0]?.hasVideo).toBe(false)
    expect(peers).toHaveLength(1)
    socket().receive({ type: 'streamDestroyed', stream: others('one'), reason: 'clientDisconnected' })
    await settle()
    expect([session.state.streams, peer().isClosed]).toEqual([[], true])
  })

  it('reports the changes of a moment once', async () => {
    const { socket, enter, changes, signals } = open()
    await enter()
    const before = changes()
    socket().receive({ type: 'connectionCreated', connection: { id: 'bob', createdAt: 0 } })
    socket().receive({ type: 'sessionMuted', active: true })
    await settle()
    expect(changes()).toBe(before + 1)
    socket().receive({ type: 'signal', from: 'bob', signal: { type: 'chat', data: 'Hi' } })
    expect(signals).toEqual([{ from: 'bob', type: 'chat', data: 'Hi' }])
  })

  it('has left when the join is refused, with the reason', async () => {
    const { session, sockets, socket } = open()
    await settle()
    socket().accept()
    socket().receive({ type: 'refused', reason: 'The client token has expired.' })
    socket().close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(session.state).toMatchObject({ status: 'left', problem: 'The client token has expired.' })
    expect(sockets).toHaveLength(1)
  })

  it('reconnects with growing pauses, and publishes and receives again', async () => {
    const { session, sockets, socket, peers, enter, publish } = open()
    await enter({ streams: [others('one')] })
    await publish()
    socket().close()
    await settle()
    expect(session.state).toMatchObject({ status: 'reconnecting', streams: [] })
    const times: number[] = []
    for (let waited = 0; times.length < 5; waited += 100) {
      const count = sockets.length
      await vi.advanceTimersByTimeAsync(100)
      if (sockets.length > count) {
        times.push(waited + 100)
        socket().close()
      }
    }
    expect(times.map((time, index) => time - (times[index - 1] ?? 0))).toEqual([500, 1000, 2000, 4000, 8000])
    await vi.advanceTimersByTimeAsync(8_000)
    const before = peers.length
    await enter({ connectionId: 'ada again', streams: [others('two')] })
    expect(session.state).toMatchObject({ status: 'connected', connectionId: 'ada again', problem: undefined })
    expect(socket().last('subscribe')).toMatchObject({ streamId: 'two' })
    expect(socket().last('publish')).toMatchObject({ name: 'Ada' })
    expect(peers).toHaveLength(before + 2)
  })

  it('does not come back after a moderator has removed it', async () => {
    const { session, sockets, socket, enter, publish } = open()
    await enter()
    const camera = await publish()
    socket().receive({ type: 'disconnected', reason: 'forceDisconnected' })
    socket().close()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(session.state).toMatchObject({ status: 'left', reason: 'forceDisconnected', publications: [] })
    expect(camera.state.media.getTracks().every((track) => (track as unknown as FakeTrack).isStopped)).toBe(true)
    expect(sockets).toHaveLength(1)
  })

  it('leaves once, and stops what it publishes', async () => {
    const { session, sockets, socket, peer, enter, publish } = open()
    await enter()
    await publish()
    session.leave()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(session.state).toMatchObject({ status: 'left', problem: undefined, publications: [] })
    expect([socket().readyState, peer().isClosed, sockets.length]).toEqual([3, true, 1])
    await expect(session.signal({ data: 'Hi' })).rejects.toThrow('not connected')
  })
})

describe('a publication', () => {
  it('has both kinds from the start, and is there once the stream is created', async () => {
    const { session, socket, peer, enter } = open()
    const camera = session.publish(cameraOf('audio'), { name: 'Ada' })
    await enter()
    expect(peer().transceivers.map(({ kind }) => kind)).toEqual(['audio', 'video'])
    expect(socket().last('publish')).toMatchObject({ name: 'Ada', videoType: 'camera', audio: true, video: false })
    socket().answer('publish', { type: 'published', id: 'own', sdp: 'answer' })
    await settle()
    expect(camera.state).toMatchObject({ streamId: undefined, hasAudio: true, hasVideo: false })
    await camera.setAudio(false)
    expect(socket().last('setAudio')).toBeUndefined()
    socket().receive({
      type: 'streamCreated',
      stream: others('own', { connectionId: 'ada', hasVideo: false }),
    })
    await settle()
    expect(session.state.publications).toMatchObject([{ streamId: 'own', hasAudio: false }])
    expect(session.state.streams).toEqual([])
    expect(socket().last('setAudio')).toMatchObject({ streamId: 'own', audio: false })
  })

  it('is muted by its user and by a moderator, and takes another track', async () => {
    const { socket, peer, enter, publish } = open()
    await enter()
    const camera = await publish()
    const [audio, video] = camera.state.media.getTracks()
    const turned = camera.setVideo(false)
    expect([video?.enabled, socket().last('setVideo')]).toMatchObject([false, { streamId: 'own', video: false }])
    socket().answer('setVideo', { type: 'done' })
    await turned
    socket().receive({ type: 'muteForced', streamId: 'own' })
    expect(camera.state).toMatchObject({ hasAudio: false, hasVideo: false, isMutedByModerator: true })
    expect(audio?.enabled).toBe(false)
    void camera.setAudio(true)
    expect(camera.state).toMatchObject({ hasAudio: true, isMutedByModerator: false })

    const [other] = cameraOf('video').getTracks() as [MediaStreamTrack]
    await camera.replaceTrack(other)
    expect(peer().transceivers[1]?.sender.track).toBe(other)
    expect([other.enabled, camera.state.media.getTracks()]).toEqual([false, [audio, other]])
  })

  it('stays muted when it is published into a muted session', async () => {
    const { socket, peer, enter, session } = open()
    await enter({ isMuted: true })
    const camera = session.publish(cameraOf('audio', 'video'))
    await settle()
    socket().answer('publish', { type: 'published', id: 'own', sdp: 'answer' })
    await settle()
    peer().become('connected')
    socket().receive({ type: 'streamCreated', stream: others('own', { connectionId: 'ada', hasAudio: false }) })
    socket().receive({ type: 'muteForced', streamId: 'own' })
    await settle()
    expect(camera.state).toMatchObject({ hasAudio: false, isMutedByModerator: true })
    expect(socket().last('setAudio')).toBeUndefined()
  })

  it('rejects a change that the sandbox refuses', async () => {
    const { socket, enter, publish } = open()
    await enter()
    const camera = await publish()
    const turned = camera.setAudio(false)
    socket().answer('setAudio', { type: 'refused', reason: 'You publish no such stream.' })
    await expect(turned).rejects.toThrow('You publish no such stream.')
  })

  it('of a screen stops when the browser ends it', async () => {
    const { session, socket, peer, enter } = open()
    await enter()
    const media = cameraOf('video')
    session.publishScreen(media)
    await settle()
    expect(peer().transceivers).toHaveLength(1)
    expect(socket().last('publish')).toMatchObject({ videoType: 'screen' })
    socket().answer('publish', { type: 'published', id: 'screen', sdp: 'answer' })
    await settle()
    media.getTracks()[0]?.dispatchEvent(new Event('ended'))
    await settle()
    expect(socket().last('unpublish')).toMatchObject({ streamId: 'screen' })
    expect([session.state.publications, peer().isClosed]).toEqual([[], true])
  })
})

describe('an interrupted peer', () => {
  it('restarts ICE after a moment, and again until it is connected', async () => {
    const { session, socket, peer, peers, enter, publish } = open()
    await enter()
    await publish()
    peer().become('disconnected')
    await settle()
    expect(session.state.publications).toMatchObject([{ status: 'interrupted' }])
    await vi.advanceTimersByTimeAsync(2_000)
    expect(socket().last('offer')).toMatchObject({ id: 'own', sdp: 'offer 2 restart' })
    await vi.advanceTimersByTimeAsync(2_000)
    expect(socket().last('offer')).toMatchObject({ id: 'own', sdp: 'offer 3 restart' })
    socket().answer('offer', { type: 'answered', id: 'own', sdp: 'restarted' })
    await settle()
    expect(peer().remoteDescription).toMatchObject({ sdp: 'restarted' })
    peer().become('connected')
    const { length } = socket().sent
    await vi.advanceTimersByTimeAsync(60_000)
    expect([socket().sent.length, peers.length]).toEqual([length, 1])
    expect(session.state.publications).toMatchObject([{ status: 'connected', streamId: 'own' }])
  })

  it('recovers without a restart within 2 s', async () => {
    const { socket, peer, enter, publish } = open()
    await enter()
    await publish()
    peer().become('disconnected')
    await vi.advanceTimersByTimeAsync(1_900)
    peer().become('connected')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(socket().last('offer')).toBeUndefined()
  })

  it('is replaced when the sandbox has ended it', async () => {
    const { socket, peer, peers, enter, publish } = open()
    await enter()
    await publish()
    peer().become('failed')
    await settle()
    socket().answer('offer', { type: 'refused', reason: 'You have no such publication or subscription.' })
    await settle()
    expect(peers).toHaveLength(2)
    expect(peers[0]?.isClosed).toBe(true)
    expect(socket().last('publish')).toMatchObject({ sdp: 'offer 1' })
  })

  it('is failed when the sandbox refuses its offer, with the reason', async () => {
    const { session, socket, enter } = open()
    await enter({ streams: [others('one')] })
    socket().answer('subscribe', { type: 'refused', reason: 'The stream is VP8: the offer contains nothing of it.' })
    await settle()
    expect(session.state.streams).toMatchObject([{ status: 'failed', problem: expect.stringContaining('VP8') }])
  })
})

describe('the quality', () => {
  it('is measured every 2 s, of what arrives and of what is sent', async () => {
    const { session, peer, peers, enter, publish } = open()
    await enter({ streams: [others('one')] })
    await publish()
    const measure = async (at: number, received: number, lost: number, roundTrip: number) => {
      const stats = [
        { type: 'candidate-pair', timestamp: at, nominated: true, currentRoundTripTime: roundTrip },
        {
          type: 'inbound-rtp',
          kind: 'video',
          timestamp: at,
          bytesReceived: received * 1000,
          packetsReceived: received,
        },
        { type: 'inbound-rtp', kind: 'audio', timestamp: at, packetsLost: lost, framesPerSecond: 30 },
      ]
      for (const one of peers) one.stats = one === peer() ? [] : stats
      await vi.advanceTimersByTimeAsync(2_000)
      return session.state.streams[0]?.quality
    }
    expect(await measure(0, 0, 0, 0.01)).toBeUndefined()
    expect(await measure(2_000, 100, 0, 0.01)).toMatchObject({ level: 'good', loss: 0, bitrate: 400 })
    expect(await measure(4_000, 195, 5, 0.01)).toMatchObject({ level: 'fair', loss: 0.05 })
    expect(await measure(6_000, 295, 5, 0.7)).toMatchObject({ level: 'poor', roundTripTime: 0.7 })
  })
})
