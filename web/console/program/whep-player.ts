import { act } from '../api.ts'
import type { PlayerEvents, PlayingSource } from './playing-source.ts'
import type { WatchedOutput } from './program-sources.ts'

/** Plays an output by WHEP (draft-ietf-wish-whep). */
export function playWhep(video: HTMLVideoElement, output: WatchedOutput, events: PlayerEvents): PlayingSource {
  const peer = new RTCPeerConnection()
  const media = new MediaStream()
  const leaving = Promise.withResolvers<void>()
  let earlier: ReturnType<typeof receivedIn> | undefined
  for (const kind of ['audio', 'video']) peer.addTransceiver(kind, { direction: 'recvonly' })
  peer.addEventListener('track', ({ track }) => media.addTrack(track))
  peer.addEventListener('connectionstatechange', () => {
    if (['failed', 'disconnected', 'closed'].includes(peer.connectionState)) events.onEnd()
  })
  video.srcObject = media
  void video.play().catch(() => {}) // plays once a track has arrived
  void subscribe(peer, output, leaving.promise).catch((error: Error) => {
    events.notify(error.message)
    events.onEnd()
  })
  return {
    async measure() {
      const report = await peer.getStats()
      const received = receivedIn(report)
      const before = earlier ?? received
      const milliseconds = received.at - before.at
      earlier = received.at > 0 ? received : undefined // nothing is received yet
      const kilobits = milliseconds > 0 ? ((received.bytes - before.bytes) * 8) / milliseconds : undefined
      return { latency: latencyOf(report), kilobits }
    },
    stop() {
      leaving.resolve()
      peer.close()
      video.srcObject = null
    },
  }
}

/** @throws Error with the reason of a refusal */
async function subscribe(peer: RTCPeerConnection, output: WatchedOutput, left: Promise<void>): Promise<void> {
  const { showId, outputId, url } = output
  const { sessionId, token } = await act(({ tokens }) =>
    tokens.create(showId, { role: 'subscriber', data: 'Control room' }),
  )
  await peer.setLocalDescription()
  const authorization = `Bearer ${token}`
  const door = `${url}/sandbox/sessions/${encodeURIComponent(sessionId)}/whep?output=${encodeURIComponent(outputId)}`
  const answer = await fetch(door, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/sdp' },
    body: peer.localDescription?.sdp ?? '',
  })
  if (!answer.ok) throw new Error(((await answer.json()) as { detail: string }).detail)
  const place = answer.headers.get('location')
  void left.then(async () => {
    if (place) await fetch(place, { method: 'DELETE', headers: { authorization } }).catch(() => {})
  })
  await peer.setRemoteDescription({ type: 'answer', sdp: await answer.text() })
}

/** Returns the seconds that a picture takes from the sandbox to the screen: half a round trip, and the jitter buffer. */
function latencyOf(report: RTCStatsReport): number | undefined {
  const stats = [...report.values()]
  const video = stats.find(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')
  const pair = stats.find(({ type, nominated }) => type === 'candidate-pair' && nominated)
  if (!video?.jitterBufferEmittedCount) return undefined
  return video.jitterBufferDelay / video.jitterBufferEmittedCount + (pair?.currentRoundTripTime ?? 0) / 2
}

/** Returns the bytes of audio and video so far, and when they were counted in milliseconds. */
function receivedIn(report: RTCStatsReport): { readonly bytes: number; readonly at: number } {
  const inbound = [...report.values()].filter(({ type }) => type === 'inbound-rtp')
  const bytes = inbound.reduce((sum, { bytesReceived = 0 }) => sum + bytesReceived, 0)
  return { bytes, at: inbound[0]?.timestamp ?? 0 }
}
