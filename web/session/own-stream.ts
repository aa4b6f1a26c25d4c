import { createLink } from './link.ts'
import type { AnswerMessage, EventMessage, RequestMessage, VideoType } from './protocol.ts'
import type { MeasuredQuality } from './quality.ts'
import type { PublicationState } from './state.ts'

/** Properties of a new stream. */
export interface PublishOptions {
  /** Shown to the others. @default '' */
  readonly name?: string
  /** @default 'camera' */
  readonly videoType?: VideoType
  /** False: it is muted at first. @default true if there is an audio track */
  readonly audio?: boolean
  /** False: its camera is off at first. @default true if there is a video track */
  readonly video?: boolean
}

/** An own stream, with the means to change it. */
export interface PublishedStream {
  readonly state: PublicationState
  /** Mutes or unmutes it, also after a moderator has muted it. */
  setAudio(isOn: boolean): Promise<void>
  /** Turns the camera off or on. The others see the name meanwhile. */
  setVideo(isOn: boolean): Promise<void>
  /** Sends another track instead of the one of its kind, for example of another camera. The former one is not stopped. */
  replaceTrack(track: MediaStreamTrack): Promise<void>
  /** Ends the stream, and stops its tracks. */
  stop(): Promise<void>
}

/** An own stream as its session uses it. */
export interface OwnStream extends PublishedStream {
  readonly peer: RTCPeerConnection | undefined
  /** Publishes it, again after a reconnection. */
  open(): Promise<void>
  receive(event: EventMessage): void
  setQuality(quality: MeasuredQuality | undefined): void
  close(): void
}

type Kind = 'audio' | 'video'

export function createOwnStream(parts: {
  media: MediaStream
  options: PublishOptions
  RTCPeerConnection: new () => RTCPeerConnection
  ask(message: RequestMessage): Promise<AnswerMessage>
  onChange(): void
  onStop(): void
}): OwnStream {
  const { media, options, ask, onChange } = parts
  const { name = '', videoType = 'camera' } = options
  const trackOf = (kind: Kind) => media.getTracks().find((track) => track.kind === kind)
  const isOn: Record<Kind, boolean> = {
    audio: options.audio ?? trackOf('audio') !== undefined,
    video: options.video ?? trackOf('video') !== undefined,
  }
  /** Its state when it was offered. */
  let published = { ...isOn }
  let isMutedByModerator = false
  let isPublished = false
  let isStopped = false
  let quality: MeasuredQuality | undefined

  /** A camera has both kinds from the start, so that a track can be added later. */
  const kinds = (['audio', 'video'] as const).filter((kind) => videoType === 'camera' || trackOf(kind))
  const link = createLink({
    RTCPeerConnection: parts.RTCPeerConnection,
    prepare(peer) {
      for (const kind of kinds) peer.addTransceiver(trackOf(kind) ?? kind, { direction: 'sendonly', streams: [media] })
    },
    offer(sdp) {
      published = { ...isOn }
      return askSdp({ type: 'publish', name, videoType, ...published, sdp })
    },
    renegotiate: (id, sdp) => askSdp({ type: 'offer', id, sdp }),
    onLate: (streamId) => void ask({ type: 'unpublish', streamId }).catch(() => {}),
    onChange,
  })
  async function askSdp(message: RequestMessage) {
    return (await ask(message)) as Extract<AnswerMessage, { sdp: string }>
  }
  function enableTracks(): void {
    for (const track of media.getTracks()) track.enabled = isOn[track.kind as Kind]
  }
  /** Sends the state of a kind once the stream exists; before, it is part of the publication. */
  async function sendState(kind: Kind): Promise<void> {
    if (!isPublished || link.id === undefined) return
    const streamId = link.id
    await ask(
      kind === 'audio'
        ? { type: 'setAudio', streamId, audio: isOn.audio }
        : { type: 'setVideo', streamId, video: isOn.video },
    )
  }
  async function turn(kind: Kind, next: boolean): Promise<void> {
    isOn[kind] = next
    if (kind === 'audio' && next) isMutedByModerator = false
    enableTracks()
    onChange()
    await sendState(kind)
  }

  enableTracks()
  return {
    get state() {
      return {
        ...{ name, videoType, media, isMutedByModerator, status: link.status, problem: link.problem, quality },
        hasAudio: isOn.audio && trackOf('audio') !== undefined,
        hasVideo: isOn.video && trackOf('video') !== undefined,
        streamId: isPublished ? link.id : undefined,
      }
    },
    get peer() {
      return link.peer
    },
    async open() {
      isPublished = false
      await link.open()
    },
    receive(event) {
      if (event.type === 'streamCreated' && event.stream.id === link.id) {
        isPublished = true
        for (const kind of ['audio', 'video'] as const)
          if (isOn[kind] !== published[kind]) void sendState(kind).catch(() => {}) // changed since the offer
      } else if (event.type === 'streamDestroyed' && event.stream.id === link.id) {
        isPublished = false
        if (!isStopped && event.reason === 'networkDisconnected') void link.open()
      } else if (event.type === 'muteForced' && event.streamId === link.id) {
        isMutedByModerator = true
        isOn.audio = false
        enableTracks()
      } else return
      onChange()
    },
    setQuality(next) {
      quality = next
    },
    setAudio: (next) => turn('audio', next),
    setVideo: (next) => turn('video', next),
    async replaceTrack(track) {
      const kind = track.kind as Kind
      const former = trackOf(kind)
      if (former) media.removeTrack(former)
      media.addTrack(track)
      enableTracks()
      const index = kinds.indexOf(kind)
      await link.peer?.getTransceivers()[index]?.sender.replaceTrack(track)
      onChange()
    },
    async stop() {
      if (isStopped) return
      isStopped = true
      const { id } = link
      link.close()
      for (const track of media.getTracks()) track.stop()
      parts.onStop()
      if (id !== undefined) await ask({ type: 'unpublish', streamId: id }).catch(() => {}) // it ends with the connection
    },
    close: link.close,
  }
}
