import type ndc from 'node-datachannel'
import type { Door, SandboxDoor } from './door.ts'
import { openJanusHandle } from './janus-handle.ts'

type PeerConnection = InstanceType<typeof ndc.PeerConnection>

/** Connects a peer whose tracks are for publishing. */
export async function publish(door: Door, peer: PeerConnection): Promise<void> {
  const offer = await localDescriptionOf(peer, () => peer.setLocalDescription('offer'))
  if (door.server === 'sandbox')
    peer.setRemoteDescription(await exchange(door, 'whip', door.tokens.publisher, offer), 'answer')
  else {
    const { ask } = await openJanusHandle(door.url)
    const join = { request: 'joinandconfigure', room: door.room, ptype: 'publisher', audio: true, video: true }
    const { jsep } = await ask(join, { type: 'offer', sdp: offer })
    peer.setRemoteDescription(jsep?.sdp ?? '', 'answer')
  }
}

/**
 * Connects a peer that receives one stream.
 * @param addTracks adds its tracks, for a server that answers offers; Janus makes the offer
 */
export async function subscribe(
  door: Door,
  peer: PeerConnection,
  stream: string,
  addTracks: () => void,
): Promise<void> {
  if (door.server === 'sandbox') {
    addTracks()
    const offer = await localDescriptionOf(peer, () => peer.setLocalDescription('offer'))
    const answer = await exchange(door, `whep?stream=${stream}`, door.tokens.subscriber, offer)
    return peer.setRemoteDescription(answer, 'answer')
  }
  const { ask } = await openJanusHandle(door.url)
  const join = { request: 'join', room: door.room, ptype: 'subscriber', streams: [{ feed: Number(stream) }] }
  const { jsep } = await ask(join)
  const answer = await localDescriptionOf(peer, () => peer.setRemoteDescription(jsep?.sdp ?? '', 'offer'))
  await ask({ request: 'start' }, { type: 'answer', sdp: answer })
}

/** Returns the description that a peer makes once `act` is called, with all candidates. */
async function localDescriptionOf(peer: PeerConnection, act: () => void): Promise<string> {
  await new Promise<void>((resolve) => {
    peer.onGatheringStateChange((state) => state === 'complete' && resolve())
    act()
  })
  return peer.localDescription()?.sdp ?? ''
}

async function exchange({ url }: SandboxDoor, path: string, token: string, offer: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/sdp' }
  const response = await fetch(`${url}/${path}`, { method: 'POST', headers, body: offer })
  const text = await response.text()
  if (response.status !== 201) throw new Error(`The sandbox answered an offer with ${response.status}: ${text}`)
  return text
}
