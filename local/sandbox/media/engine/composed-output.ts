import { MediaError } from '../../../../lib/media/media-error.ts'
import { arrangeStreams } from '../../../../lib/platform/layouts/layouts.ts'
import { type Composition, createComposition, MAX_PICTURES } from '../composing/composition.ts'
import { createEncoder } from '../encoding/encoder.ts'
import { createLiveEncoder, type LiveEncoder } from '../encoding/live-encoder.ts'
import { createSamplesOutput } from '../encoding/samples-output.ts'
import type { EncodedUnit } from '../live/packets.ts'
import type { Viewer } from '../media.ts'
import { type PackagedPart, packageBroadcast } from '../packaging/package-broadcast.ts'
import { fingerprint } from '../recorded-file.ts'
import { FRAMES_PER_SECOND, SAMPLES_PER_FRAME } from '../timebase.ts'
import type { ComposedSetup } from './commands.ts'
import { mixVoices } from './mixer.ts'
import type { EncodedOutput } from './output.ts'
import type { EngineSession } from './session.ts'

/** Receives what is encoded for something else than a file. */
export interface OutputListener {
  onFlv(chunk: Uint8Array): void
  /** Receives each part of a broadcast that is in its file. */
  onPart(part: PackagedPart): void
  /** Receives what a live target encodes. */
  onUnit(unit: EncodedUnit): void
}

/** Starts an output that shows all streams in one picture, with its encoder. */
export function createComposedOutput(
  ffmpegPath: string,
  setup: ComposedSetup,
  session: EngineSession,
  { onFlv, onPart, onUnit }: OutputListener,
): EncodedOutput {
  const { width, height, hasAudio, hasVideo, target } = setup
  const encoder = startEncoder(ffmpegPath, setup, onUnit)
  encoder.flv?.on('data', onFlv)
  const hls = target.type === 'broadcast' ? target.hls : undefined
  const packaged = hls && packageBroadcast(encoder, hls, onPart)
  /** Rejects when a segment cannot be written. */
  const failed = Promise.race([encoder.failed, ...(packaged ? [neverUnlessFailed(packaged)] : [])])
  failed.catch(() => {}) // no unhandled rejection before anything awaits it
  const samples = new Int16Array(hasAudio ? SAMPLES_PER_FRAME : 0)
  let viewing: LiveEncoder | undefined
  const composition: Composition | undefined = hasVideo ? createComposition(width, height) : undefined
  let { layout, streams, isPaused = false } = setup
  let isStale = true
  let frames = 0
  const seconds = () => frames / FRAMES_PER_SECOND

  /** Sends what was drawn to an encoder; false when that encoder has ended. */
  async function give(receiver: LiveEncoder, frame: number): Promise<boolean> {
    const buffer = await receiver.nextBuffer()
    if (!buffer) return false
    if (composition) buffer.picture.set(composition.picture.data)
    buffer.audio.set(samples)
    receiver.send(buffer, frame)
    return true
  }
  async function unwatch(): Promise<void> {
    const stopped = viewing
    viewing = undefined
    await stopped?.kill()
  }

  return {
    setup,
    started: encoder.started,
    failed,
    get isPaused() {
      return isPaused
    },
    get seconds() {
      return seconds()
    },
    setLayout(next) {
      layout = next
      isStale = true
    },
    setStreams(next) {
      streams = next
      isStale = true
    },
    pause() {
      isPaused = true
    },
    resume() {
      isPaused = false
      isStale = true // the composition has missed the changes meanwhile
    },
    rearrange() {
      isStale = true
    },
    arrange() {
      if (isStale && composition) {
        const placements = arrangeStreams(layout, session.chosen(streams).seen, width, height, MAX_PICTURES)
        composition.arrange(placements.map(({ stream, ...place }) => ({ stream: stream.source, ...place })))
      }
      isStale = false
    },
    sizeOf: (source) => composition?.sizeOf(source),
    uses: (streamId) => !streams || streams.some((choice) => choice.streamId === streamId),
    async draw(frame) {
      composition?.draw()
      if (hasAudio)
        mixVoices(
          session.chosen(streams).heard.map(({ source }) => source.audio),
          samples,
        )
      if (await give(encoder, frame)) frames++
      if (viewing) await give(viewing, frame)
    },
    watch({ onUnit, onFailure }: Viewer) {
      if (viewing) throw new MediaError(`The output ${setup.id} is watched already.`)
      const started = createLiveEncoder(ffmpegPath, setup, onUnit)
      viewing = started
      started.failed.catch((error: Error) => {
        if (viewing !== started) return // it was stopped on purpose
        viewing = undefined
        onFailure(error)
      })
    },
    unwatch,
    async finish() {
      try {
        await Promise.all([encoder.finish(), unwatch()])
        await packaged
        return { seconds: seconds(), file: target.type === 'mp4' ? await fingerprint(target.path) : undefined }
      } catch (error) {
        await packaged?.catch(() => {})
        if (error instanceof MediaError) throw error
        throw new MediaError('The file could not be finished.', { cause: error }) // a full disk, say
      }
    },
    async discard() {
      await Promise.all([encoder.kill(), unwatch()])
      await packaged?.catch(() => {}) // also when its folder is gone; what it has written stays
    },
  }
}

function startEncoder(
  ffmpegPath: string,
  { target, ...setup }: ComposedSetup,
  onUnit: OutputListener['onUnit'],
): LiveEncoder {
  if (target.type === 'samples') return createSamplesOutput(onUnit)
  return target.type === 'live'
    ? createLiveEncoder(ffmpegPath, setup, onUnit)
    : createEncoder(ffmpegPath, { ...setup, target })
}

/** Rejects when a task fails, and never resolves. */
async function neverUnlessFailed(task: Promise<unknown>): Promise<never> {
  try {
    await task
  } catch (cause) {
    throw new MediaError('The segments of the broadcast could not be written.', { cause })
  }
  return new Promise<never>(() => {})
}
