import { MessageChannel } from 'node:worker_threads'
import type { CallBlock, CallSource, FromCallSource } from '../../../media/live/packets.ts'
import type { Media } from '../../../media/media.ts'
import { audibleAndVisible, type Presence } from '../../../participants/presence.ts'
import type { StreamRecord } from '../../../state/records.ts'
import type { Store } from '../../../state/store.ts'
import type { PacketSource } from '../../../webrtc/live-stream.ts'
import { SAMPLES_PER_MS } from '../block.ts'
import type { CallAudio, CallLeg } from '../call-audio.ts'
import { createLiveVoice } from './live-voice.ts'
import { mixMinus } from './mixer.ts'
import { createRenderedVoice, type RenderedVoice } from './rendered-voice.ts'
import { startTicker } from './ticker.ts'
import { createVideoFeed, type VideoFeed } from './video-feed.ts'
import type { Voice } from './voice.ts'

/** A phone in the audio of its session. */
export interface CallPlace extends CallAudio {
  /** Source by which the phone's stream is to be published. */
  readonly source: CallSource
  readonly video: Omit<VideoFeed, 'source' | 'close'> | undefined
}

/** The audio between phones and sessions: each phone hears everything except itself. */
export interface SessionAudio {
  /**
   * Makes a place for a phone, whose stream is about to be published. It ends with the stream.
   * @param hasVideo @default false
   */
  open(sessionId: string, streamId: string, hasVideo?: boolean): CallPlace
  close(): void
}

interface Member {
  readonly sessionId: string
  readonly streamId: string
  readonly send: (block: CallBlock) => void
  readonly end: () => void
  leg: CallLeg | undefined
  isAudible: boolean
}

interface Listeners {
  readonly live: Map<string, Voice>
  readonly rendered: RenderedVoice
  isStale: boolean
}

export function createSessionAudio({
  store,
  presence,
  media,
  findLive,
}: {
  store: Pick<Store, 'streams'>
  presence: Pick<Presence, 'listen'>
  media: Pick<Media, 'listenToStreams'>
  /** Returns the packets of a stream that is published over WebRTC. */
  findLive: (streamId: string) => PacketSource | undefined
}): SessionAudio {
  /** By stream id. */
  const members = new Map<string, Member>()
  /** The voices for the phones of a session, by its id. */
  const heard = new Map<string, Listeners>()
  let stopTicker: (() => void) | undefined

  const connectedIn = (sessionId: string) =>
    [...members.values()].filter((member) => member.sessionId === sessionId && member.leg)

  function refresh(sessionId: string, { live, rendered }: Listeners): void {
    const others = store.streams.find({ sessionId }).filter(({ id, hasAudio }) => !members.has(id) && hasAudio)
    const found = new Map(others.map(({ id }) => [id, findLive(id)] as const))
    for (const [id, voice] of live)
      if (!found.get(id)) {
        voice.close()
        live.delete(id)
      }
    for (const [id, stream] of found) if (stream?.audioCodec && !live.has(id)) live.set(id, createLiveVoice(stream))
    rendered.select([...found].flatMap(([id, stream]) => (stream ? [] : [id])))
  }
  function tick(at: number, leftOut: number): void {
    for (const [sessionId, voices] of heard) {
      if (voices.isStale) refresh(sessionId, voices)
      voices.isStale = false
      const connected = connectedIn(sessionId)
      if (leftOut > 0)
        for (const source of [...connected.map(({ leg }) => leg), ...voices.live.values(), voices.rendered])
          source?.skip(leftOut) // otherwise it would wait from now on
      const own = connected.map((member) => {
        const samples = member.leg?.take()
        if (samples) member.send({ place: at * SAMPLES_PER_MS, samples })
        return member.isAudible ? samples : undefined
      })
      const others = [...voices.live.values(), voices.rendered].map((voice) => voice.take())
      const mixed = mixMinus(own, others)
      for (const [index, { leg }] of connected.entries()) leg?.send(mixed[index] as Int16Array)
    }
  }
  function connect(member: Member, leg: CallLeg): () => void {
    const { sessionId } = member
    member.leg = leg
    if (!heard.has(sessionId)) {
      const rendered = createRenderedVoice(media, `calls ${sessionId}`, sessionId)
      heard.set(sessionId, { live: new Map(), rendered, isStale: true })
    }
    stopTicker ??= startTicker(tick)
    return () => {
      if (member.leg !== leg) return
      member.leg = undefined
      if (connectedIn(sessionId).length === 0) leave(sessionId)
    }
  }
  function leave(sessionId: string): void {
    const voices = heard.get(sessionId)
    heard.delete(sessionId)
    for (const voice of voices?.live.values() ?? []) voice.close()
    voices?.rendered.close()
    if (heard.size > 0) return
    stopTicker?.()
    stopTicker = undefined
  }
  const markStale = ({ sessionId }: { readonly sessionId: string }) => {
    const voices = heard.get(sessionId)
    if (voices) voices.isStale = true // read with the next tick: WebRTC streams are registered after they are published
  }
  const noteTracks = (stream: StreamRecord) => {
    const member = members.get(stream.id)
    if (member) member.isAudible = audibleAndVisible(stream).hasAudio
  }
  presence.listen({
    onPublished(stream) {
      noteTracks(stream)
      markStale(stream)
    },
    onChanged: noteTracks,
    onUnpublished(stream) {
      members.get(stream.id)?.end()
      members.delete(stream.id)
      markStale(stream)
    },
  })

  return {
    open(sessionId, streamId, hasVideo = false) {
      const { port1: ours, port2: blocks } = new MessageChannel()
      const video = hasVideo ? createVideoFeed() : undefined
      let isWanted = false
      ours.on('message', (what: FromCallSource) => {
        isWanted = what === 'start'
      })
      ours.unref()
      const member: Member = {
        sessionId,
        streamId,
        send: (block) => isWanted && ours.postMessage(block),
        end() {
          ours.close()
          video?.close()
        },
        leg: undefined,
        isAudible: false,
      }
      members.set(streamId, member)
      const source: CallSource = { type: 'call', blocks, video: video?.source }
      return { source, video, connect: (leg) => connect(member, leg) }
    },
    close() {
      for (const sessionId of [...heard.keys()]) leave(sessionId)
      for (const { end } of members.values()) end()
    },
  }
}
