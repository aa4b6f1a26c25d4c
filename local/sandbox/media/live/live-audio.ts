import { type AudioDecoder, startAudioDecoder } from './audio-decoder.ts'
import type { LivePacket } from './packets.ts'
import { createReorder } from './reorder.ts'
import type { Timeline } from './timeline.ts'

/** The audio of a live stream. */
export interface LiveAudio {
  push(packet: LivePacket): void
  /** Fills one frame's samples from a time on; false when they are not there. */
  read(time: number, samples: Int16Array): boolean
  close(): Promise<void>
}

/** Milliseconds without a packet after which decoding begins again: in between, ffmpeg would write silence. */
const MAX_GAP = 5_000
/** Milliseconds by which the place of audio may differ from its capture time before it is moved: a jump is audible. */
const MAX_SHIFT = 20
/** The same, once the audio can be aligned with the picture. */
const MAX_MISALIGNMENT = 5
/**
 * Milliseconds by which decoded audio is later than its packet's time: libopus, which browsers use, looks ahead by 312
 * samples. Files name that as pre-skip (RFC 7845, 5.1); RTP does not.
 */
const LOOKAHEAD = 312 / 48

export function createLiveAudio(ffmpegPath: string, timeline: Timeline): LiveAudio {
  let decoder: AudioDecoder | undefined
  let ending: Promise<unknown> = Promise.resolve()
  let last: { readonly timestamp: number; readonly time: number } | undefined

  const stop = () => {
    ending = Promise.all([ending, decoder?.kill()])
    decoder = undefined
  }
  /** Counts on from the last packet, so that small changes of the measured delay are not audible. */
  const timeOf = (timestamp: number) => {
    const captured = timeline.timeOf('audio', timestamp) - LOOKAHEAD
    const counted = last ? last.time + ((timestamp - last.timestamp) | 0) / 48 : captured
    const isShifted = Math.abs(counted - captured) > (timeline.isAligned() ? MAX_MISALIGNMENT : MAX_SHIFT)
    if (isShifted) stop() // the decoder does not follow small shifts
    return isShifted ? captured : counted
  }
  const push = createReorder(
    ({ timestamp, payload }) => {
      if (payload.length === 0) return
      const time = timeOf(timestamp)
      const isJump = last && (time < last.time || time - last.time > MAX_GAP)
      if (isJump || decoder?.isOver) stop()
      decoder ??= startAudioDecoder(ffmpegPath, time)
      decoder.write(payload, time)
      last = { timestamp, time }
    },
    () => {},
  )

  return {
    push,
    read: (time, samples) => decoder?.read(time, samples) ?? false,
    async close() {
      stop()
      await ending
    },
  }
}
