import { readIvf } from '../live/ivf.ts'
import { readOgg } from '../live/ogg.ts'
import { CLOCK_RATES, type EncodedUnit } from '../live/packets.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME } from '../timebase.ts'
import type { EncodingSpec } from './arguments.ts'
import { createEncoder, type Encoder, type FrameBuffer } from './encoder.ts'

/** An encoder for clients. Its frames may leave out some numbers, while its output is paused. */
export interface LiveEncoder extends Omit<Encoder, 'send'> {
  /** Sends a frame with its number since the epoch. */
  send(buffer: FrameBuffer, frame: number): void
}

const VIDEO_STEP = CLOCK_RATES.video / FRAMES_PER_SECOND

/** Starts an encoder that gives each encoded frame and each packet of audio with its time. */
export function createLiveEncoder(
  ffmpegPath: string,
  { width, height, hasAudio, hasVideo }: Omit<EncodingSpec, 'target'>,
  onUnit: (unit: EncodedUnit) => void,
): LiveEncoder {
  const encoder = createEncoder(ffmpegPath, { width, height, hasAudio, hasVideo, target: { type: 'live' } })
  /** Frames without a gap between them: the place of the first in what ffmpeg reads, and its number since the epoch. */
  const runs: { readonly place: number; readonly frame: number }[] = []
  let sent = 0

  const frameAt = (place: number) => {
    const run = runs.findLast((one) => one.place <= place) ?? runs[0] ?? { place: 0, frame: 0 }
    return run.frame + place - run.place
  }
  const { video, audio } = encoder.live
  if (video)
    readIvf(video, (data, place) => onUnit({ kind: 'video', data, place: Math.round(frameAt(place) * VIDEO_STEP) }))
  if (audio)
    readOgg(audio, (data, sample) => {
      const place = Math.floor(sample / SAMPLES_PER_FRAME)
      const within = sample - place * SAMPLES_PER_FRAME
      onUnit({ kind: 'audio', data, place: frameAt(place) * SAMPLES_PER_FRAME + within })
    })

  return {
    ...encoder,
    send(buffer, frame) {
      if (runs.length === 0 || frame !== frameAt(sent)) runs.push({ place: sent, frame })
      sent++
      encoder.send(buffer)
    },
  }
}
