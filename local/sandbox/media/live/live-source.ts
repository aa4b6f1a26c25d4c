import { createPicture, isSameSize, type Picture, type Rect, type Size, wholeOf } from '../composing/picture.ts'
import type { Source } from '../sources/source.ts'
import { SAMPLES_PER_FRAME, timeOf } from '../timebase.ts'
import { createLiveAudio } from './live-audio.ts'
import { createLiveVideo } from './live-video.ts'
import type { FromSource, LiveSource, ToSource } from './packets.ts'
import { createTimeline } from './timeline.ts'
import { decodedSize } from './video-decoder.ts'

/** Milliseconds by which live media is shown later than it was captured: they cover its way, its repair and its decoding. */
export const LIVE_DELAY = 400
/** Milliseconds without being drawn after which nothing is decoded any more. */
const MAX_UNUSED = 2_000
/** Milliseconds for which the last picture stays when no other arrives. */
const MAX_STILL = 5_000

/**
 * Creates a participant of the packets that a client sends. They are requested and decoded while an output is drawn, its video
 * while it is visible.
 */
export function createLiveSource(ffmpegPath: string, live: LiveSource): Source {
  const { packets, audioCodec } = live
  let { videoCodec } = live
  const darkness = createPicture(2, 2)
  const now = Date.now // packets arrive in real time, also when the engine draws late
  const samples = new Int16Array(SAMPLES_PER_FRAME)
  const ask = (what: FromSource) => packets.postMessage(what)
  let tracks: ReturnType<typeof start> | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let drawnAt = 0
  let seenAt = 0
  let newAt = 0
  let wanted: Size | undefined
  let hasGrown = false

  function start() {
    const timeline = createTimeline([
      ...(videoCodec ? ['video' as const] : []),
      ...(audioCodec ? ['audio' as const] : []),
    ])
    const isSeen = () => now() - seenAt < MAX_UNUSED
    const video =
      videoCodec && createLiveVideo(ffmpegPath, videoCodec, timeline, { isSeen, ask: () => ask('keyframe') })
    const audio = audioCodec && createLiveAudio(ffmpegPath, timeline)
    ask('start')
    return { timeline, video, audio }
  }
  function stop(): Promise<unknown> {
    if (tracks) {
      ask('stop')
      ended = Promise.all([ended, tracks.video?.close(), tracks.audio?.close()])
      tracks = undefined
    }
    return ended
  }
  const idle = setInterval(() => {
    if (now() - drawnAt >= MAX_UNUSED) void stop()
  }, 1_000).unref()

  packets.on('message', (message: ToSource) => {
    if ('size' in message) return grow(message.size)
    if ('codec' in message) {
      videoCodec = message.codec
      void stop() // the next frame starts it again
      return
    }
    if (!tracks) return
    const { timeline, video, audio } = tracks
    if ('report' in message) return timeline.reported(message.report)
    const { packet } = message
    timeline.arrived(packet)
    if (packet.kind === 'video') video?.push(packet)
    else audio?.push(packet)
  })
  packets.unref()

  const source = {
    ...decodedSize(live),
    picture: darkness as Picture,
    changed: [] as readonly Rect[],
    audio: undefined as Int16Array | undefined,
    isResized: false,
    show(frame: number, size?: Size) {
      drawnAt = now()
      if (size) seenAt = drawnAt
      tracks ??= start()
      const time = timeOf(frame) - LIVE_DELAY
      source.audio = tracks.audio?.read(time, samples) ? samples : undefined
      source.changed = []
      source.isResized = hasGrown
      hasGrown = false
      if (!size || !tracks.video) return
      if (live.hasLayers && !isSameSize(size, wanted)) {
        wanted = size
        ask({ wants: size })
      }
      const decoded = tracks.video.prepare(time)
      if (decoded && !isSameSize(decoded, source) && !(live.hasLayers && isSmaller(decoded, source))) {
        Object.assign(source, decoded)
        source.isResized = true
      }
      const target =
        decoded && isSameSize(decoded, source.picture)
          ? source.picture
          : decoded && createPicture(decoded.width, decoded.height)
      if (target && tracks.video.show(time, target)) replace(target)
      else if (source.picture !== darkness && drawnAt - newAt > MAX_STILL) replace(darkness)
    },
    async close() {
      clearInterval(idle)
      await stop()
      packets.close()
    },
  }

  /** The size of its layers counts, whichever of them is decoded: else a small layer would want a small cell. */
  function grow(largest: Size): void {
    const next = decodedSize(largest)
    if (isSameSize(next, source)) return
    Object.assign(source, next)
    hasGrown = true
  }
  function replace(picture: Picture) {
    newAt = drawnAt
    source.picture = picture
    source.changed = [wholeOf(picture)]
  }

  return source
}

const PROPORTIONS_TOLERANCE = 0.02

/** Returns true for a smaller size of nearly the same proportions: a lower layer. */
const isSmaller = (size: Size, than: Size) =>
  size.width < than.width &&
  size.height < than.height &&
  Math.abs((size.width * than.height) / (size.height * than.width) - 1) < PROPORTIONS_TOLERANCE
