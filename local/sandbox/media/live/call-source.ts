import { createPicture, type Size } from '../composing/picture.ts'
import type { Source } from '../sources/source.ts'
import { SAMPLES_PER_FRAME, SAMPLES_PER_SECOND, timeOf } from '../timebase.ts'
import { createLiveSource, LIVE_DELAY } from './live-source.ts'
import type { CallBlock, CallSource, FromCallSource } from './packets.ts'

/** Milliseconds by which a phone is later than a generated picture: a frame reaches 34 ms into the future of its drawing. */
const DELAY = 60
/** The same with video. Audio was captured about 60 ms before it left the jitter buffer, from where its time counts. */
const DELAY_WITH_VIDEO = LIVE_DELAY - 60
/** Milliseconds without being drawn after which nothing is requested any more. */
const MAX_UNUSED = 2_000
/** Samples that are kept: a second. */
const KEPT = SAMPLES_PER_SECOND
const SAMPLES_PER_MS = SAMPLES_PER_SECOND / 1000

/** Creates a participant of the audio of a phone, and of its video. What arrives too late is left out. */
export function createCallSource(ffmpegPath: string, { blocks, video }: CallSource): Source {
  const darkness = createPicture(2, 2)
  const seen = video && createLiveSource(ffmpegPath, video)
  const delay = seen ? DELAY_WITH_VIDEO : DELAY
  const ring = new Int16Array(KEPT)
  const samples = new Int16Array(SAMPLES_PER_FRAME)
  /** Place after the newest sample. Before it, `ring` is silent where nothing was received. */
  let end = 0
  let drawnAt = 0
  let isStarted = false
  const ask = (what: FromCallSource) => {
    isStarted = what === 'start'
    blocks.postMessage(what)
  }
  const idle = setInterval(() => {
    if (isStarted && Date.now() - drawnAt >= MAX_UNUSED) ask('stop')
  }, 1_000).unref()

  blocks.on('message', ({ place, samples: received }: CallBlock) => {
    for (let silent = Math.max(end, place - KEPT); silent < place; silent++) ring[silent % KEPT] = 0
    for (const [index, sample] of received.entries()) ring[(place + index) % KEPT] = sample
    end = Math.max(end, place + received.length)
  })
  blocks.unref()

  const source = {
    get width() {
      return seen?.width ?? darkness.width
    },
    get height() {
      return seen?.height ?? darkness.height
    },
    get picture() {
      return seen?.picture ?? darkness
    },
    get changed() {
      return seen?.changed ?? []
    },
    get isResized() {
      return seen?.isResized ?? false
    },
    audio: undefined as Int16Array | undefined,
    show(frame: number, size?: Size) {
      drawnAt = Date.now()
      if (!isStarted) ask('start')
      const start = Math.round((timeOf(frame) - delay) * SAMPLES_PER_MS)
      const isThere = start < end && start >= end - KEPT
      source.audio = isThere ? samples : undefined
      for (let index = 0; isThere && index < SAMPLES_PER_FRAME; index++)
        samples[index] = start + index < end ? (ring[(start + index) % KEPT] as number) : 0
      return seen?.show(frame, size)
    },
    async close() {
      clearInterval(idle)
      blocks.close()
      await seen?.close?.()
    },
  }
  return source
}
