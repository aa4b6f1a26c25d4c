import { describe, expect, it, onTestFinished } from 'vitest'
import { type JoinOptions, joinSession } from '../../../../../local/sandbox/participants/client.ts'
import type { SessionEvent } from '../../../../../local/sandbox/participants/messages.ts'
import { sendCloseNotify } from '../../../../../local/sandbox/webrtc/close-notify.ts'
import { openRoom } from '../../participants/open-room.ts'
import { offerOf } from '../offers.ts'
import { openDoors } from '../open-doors.ts'
import { isClosed, openReceiver, openSender } from './live-peer.ts'

/** Opens a session in real time that participants join by WebSocket. */
async function openSession() {
  const doors = await openDoors()
  const { url, sessionId, clientToken } = doors
  async function join(claims: Record<string, unknown> = {}, options: Partial<JoinOptions> = {}) {
    const events: SessionEvent[] = []
    const onEvent = (event: SessionEvent) => events.push(event)
    const token = await clientToken(claims)
    const participant = await joinSession({ url, sessionId, token, onEvent, ...options })
    onTestFinished(participant.leave)
    return { ...participant, events, types: () => events.map(({ type }) => type) }
  }
  /** Joins as a publisher, and publishes live media. */
  async function publish(options: Parameters<Awaited<ReturnType<typeof join>>['publishOffer']>[1] = { name: 'Ada' }) {
    const ada = await join()
    const sender = openSender()
    const streamId = await sender.negotiate((sdp) => ada.publishOffer(sdp, options))
    await expect.poll(doors.streams).toMatchObject([{ id: streamId }])
    return { ada, sender, streamId }
  }
  return { ...doors, join, publish }
}

describe('a participant who offers media', () => {
  it('publishes a stream that others subscribe to until it ends', async () => {
    const { join, publish, streams } = await openSession()
    const bob = await join({ role: 'subscriber' })
    const { ada, sender, streamId } = await publish()
    await expect.poll(() => bob.types()).toContain('streamCreated')
    expect(bob.events).toContainEqual({
      type: 'streamCreated',
      stream: expect.objectContaining({ id: streamId, name: 'Ada', connectionId: ada.connectionId, hasVideo: true }),
    })
    const receiver = openReceiver()
    await receiver.negotiate((sdp) => bob.subscribe(streamId, sdp))
    await expect.poll(() => receiver.received.video).toBeGreaterThan(20)
    expect(receiver.received.audio).toBeGreaterThan(0)

    await ada.unpublish(streamId)
    expect(await streams()).toEqual([])
    await expect.poll(() => bob.types()).toContain('streamDestroyed')
    for (const { peer } of [sender, receiver]) await expect.poll(() => isClosed(peer)).toBe(true)
    await expect(ada.unpublish(streamId)).rejects.toThrow('You publish no such stream.')
  })

  it('stays in the session when it closes its peer, and can publish again', async () => {
    const { publish, streams } = await openSession()
    const { ada, sender } = await publish()
    await Promise.all(sender.peer.dtlsTransports.map(sendCloseNotify))
    await expect.poll(streams).toEqual([])
    expect(ada.types()).not.toContain('disconnected')
    const again = openSender()
    const streamId = await again.negotiate((sdp) => ada.publishOffer(sdp, { name: 'Ada again' }))
    await expect.poll(streams).toMatchObject([{ id: streamId, name: 'Ada again' }])
  })

  it('holds its audio and its video back, from everyone', async () => {
    const { join, publish } = await openSession()
    const bob = await join({ role: 'subscriber' })
    const { ada, streamId } = await publish({ audio: false, video: false })
    const receiver = openReceiver()
    await receiver.negotiate((sdp) => bob.subscribe(streamId, sdp))
    const view = () => bob.events.findLast((event) => 'stream' in event)
    await expect.poll(view).toMatchObject({ stream: { hasAudio: false, hasVideo: false } })
    await expect.poll(() => receiver.peer.connectionState).toBe('connected')
    await ada.setAudio(streamId, true)
    await expect.poll(() => receiver.received.audio).toBeGreaterThan(20)
    expect(receiver.received.video).toBe(0)
    await ada.setVideo(streamId, true)
    await expect.poll(() => receiver.received.video).toBeGreaterThan(20)
    await expect.poll(view).toMatchObject({ stream: { hasAudio: true, hasVideo: true } })
  })

  it('is muted by a moderator, who notifies it, and is removed with its peers', async () => {
    const { call, publish, sessionId, join } = await openSession()
    const bob = await join({ role: 'subscriber' })
    const { ada, sender, streamId } = await publish()
    const receiver = openReceiver()
    await receiver.negotiate((sdp) => bob.subscribe(streamId, sdp))
    await expect.poll(() => receiver.received.audio).toBeGreaterThan(0)
    await call('muteStream', { sessionId, streamId })
    await expect.poll(() => ada.events).toContainEqual({ type: 'muteForced', streamId })
    const before = { ...receiver.received }
    await expect.poll(() => receiver.received.video).toBeGreaterThan(before.video + 50)
    expect(receiver.received.audio - before.audio).toBeLessThan(10) // those that were on their way

    await call('forceDisconnect', { sessionId, connectionId: ada.connectionId })
    expect(await ada.left).toBe('forceDisconnected')
    for (const { peer } of [sender, receiver]) await expect.poll(() => isClosed(peer)).toBe(true)
  })

  it('ends a subscription, and only its own', async () => {
    const { join, publish } = await openSession()
    const [bob, eve] = [await join({ role: 'subscriber' }), await join({ role: 'subscriber' })]
    const { streamId } = await publish()
    const receiver = openReceiver()
    const id = await receiver.negotiate((sdp) => bob.subscribe(streamId, sdp))
    await expect.poll(() => receiver.received.video).toBeGreaterThan(0)
    await expect(eve.unsubscribe(id)).rejects.toThrow('You have no such subscription.')
    await expect(eve.offer(id, offerOf())).rejects.toThrow('You have no such publication or subscription.')
    await bob.unsubscribe(id)
    await expect.poll(() => isClosed(receiver.peer)).toBe(true)
    expect(bob.types()).not.toContain('disconnected')
  })
})

describe('another offer of a peer', () => {
  it('restarts ICE while the same stream continues', async () => {
    const { join, publish, streams } = await openSession()
    const bob = await join({ role: 'subscriber' })
    const { ada, sender, streamId } = await publish()
    const receiver = openReceiver()
    const subscription = await receiver.negotiate((sdp) => bob.subscribe(streamId, sdp))
    await expect.poll(() => receiver.received.video).toBeGreaterThan(0)
    const credentials = () => receiver.peer.remoteDescription?.sdp.match(/^a=ice-ufrag:.*/m)?.[0]
    const former = credentials()
    for (let round = 0; round < 2; round++) {
      expect(await sender.negotiate((sdp) => ada.offer(streamId, sdp), { iceRestart: true })).toBe(streamId)
      await receiver.negotiate((sdp) => bob.offer(subscription, sdp), { iceRestart: true })
      const { video } = receiver.received
      await expect.poll(() => receiver.received.video).toBeGreaterThan(video + 50)
    }
    expect(credentials()).not.toBe(former)
    expect(await streams()).toMatchObject([{ id: streamId }])
    expect([...ada.types(), ...bob.types()]).not.toContain('streamDestroyed')
  })

  it('changes nothing when it belongs to another peer, or cannot be read', async () => {
    const { publish, streams } = await openSession()
    const { ada, streamId } = await publish()
    await expect(ada.offer(streamId, offerOf())).rejects.toThrow('not one of the same peer connection')
    await expect(ada.offer(streamId, 'hello')).rejects.toThrow('not one of the same peer connection')
    expect(await streams()).toMatchObject([{ id: streamId }])
  })
})

describe('an offer is refused', () => {
  it('by the role, for a source beside it, and for a stream that does not exist', async () => {
    const { join } = await openSession()
    const bob = await join({ role: 'subscriber' })
    await expect(bob.publishOffer(offerOf())).rejects.toThrow('The role subscriber may not publish.')
    const eve = await join({ role: 'publisheronly' })
    const receiving = offerOf((line) => line.replace('sendonly', 'recvonly'))
    await expect(eve.subscribe('none', receiving)).rejects.toThrow('The role publisheronly may not subscribe.')
    await expect(bob.subscribe('none', receiving)).rejects.toThrow('The session has no such stream.')
    await expect(eve.publishOffer('hello')).rejects.toThrow('The body is not a session description (SDP).')
    const withSource = { source: { type: 'pattern' } } as object
    await expect(eve.publishOffer(offerOf(), withSource)).rejects.toThrow('source and sdp exclude each other')
  })

  it('under a stepped clock', async () => {
    const { join } = await openRoom()
    const ada = await join()
    await expect(ada.publishOffer(offerOf())).rejects.toThrow('WebRTC needs real time')
  })
})
