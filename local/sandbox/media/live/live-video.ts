import { isSameSize, type Picture, type Size } from '../composing/picture.ts'
import { createFrameAssembler, type EncodedFrame } from './frame-assembler.ts'
import type { LivePacket, VideoCodec } from './packets.ts'
import { createReorder } from './reorder.ts'
import type { Timeline } from './timeline.ts'
import { startVideoDecoder, type VideoDecoder } from './video-decoder.ts'

/** The video of a live stream. */
export interface LiveVideo {
  push(packet: LivePacket): void
  /** Selects the decoder of a time and returns the size of its pictures; undefined before there is any. */
  prepare(time: number): Size | undefined
  /** Replaces a picture of that size by the one of a time; false when there is no newer one. */
  show(time: number, picture: Picture): boolean
  close(): Promise<void>
}

/** Milliseconds between two requests for a keyframe. */
const REQUEST_INTERVAL = 1_000
/** Milliseconds without a frame after which decoding begins again: in between, ffmpeg would repeat the last picture. */
const MAX_GAP = 5_000
/** Milliseconds by which a frame may be earlier than the one before: more is a change of the measured delay. */
const MAX_BACK = 20

/** Creates the video of a stream. `ask` requests a keyframe; while the stream is not seen, nothing is decoded. */
export function createLiveVideo(
  ffmpegPath: string,
  codec: VideoCodec,
  timeline: Timeline,
  { isSeen, ask }: { isSeen(): boolean; ask(): void },
): LiveVideo {
  const assembler = createFrameAssembler(codec)
  /** The one that is shown, and the one of another size that follows. */
  let decoders: VideoDecoder[] = []
  let ending: Promise<unknown> = Promise.resolve()
  let isBroken = true
  let askedAt = -Infinity
  let lastTime = -Infinity

  const dismiss = (decoder: VideoDecoder) => {
    ending = Promise.all([ending, decoder.kill()])
  }
  const onFrame = (frame: EncodedFrame) => {
    const time = timeline.timeOf('video', frame.timestamp)
    const isJump = time < lastTime - MAX_BACK || time - lastTime > MAX_GAP
    const mustBegin = isJump || (decoders.at(-1)?.isOver ?? true)
    isBroken ||= mustBegin
    if (isBroken && !frame.size) {
      if (frame.at - askedAt < REQUEST_INTERVAL) return
      askedAt = frame.at
      return ask()
    }
    const { encoded } = decoders.at(-1) ?? {}
    if (frame.size && (mustBegin || !encoded || !isSameSize(encoded, frame.size))) begin(frame.size, time)
    isBroken = false
    lastTime = time
    decoders.at(-1)?.write(frame, time)
  }
  const begin = (encoded: Size, time: number) => {
    for (const replaced of decoders.splice(1)) dismiss(replaced)
    decoders.push(startVideoDecoder(ffmpegPath, codec, encoded, time))
  }
  const push = createReorder(
    (packet) => {
      const frame = assembler.push(packet)
      if (frame) onFrame(frame)
    },
    () => {
      assembler.reset()
      isBroken = true
    },
  )
  const stop = () => {
    for (const decoder of decoders) dismiss(decoder)
    decoders = []
    isBroken = true
  }

  return {
    push(packet) {
      if (isSeen()) push(packet)
      else stop()
    },
    prepare(time) {
      const [current, next] = decoders
      if (current && next?.isReady(time)) {
        dismiss(current)
        decoders.shift()
      }
      return decoders[0]?.size
    },
    show: (time, picture) => decoders[0]?.show(time, picture) ?? false,
    async close() {
      stop()
      await ending
    },
  }
}
