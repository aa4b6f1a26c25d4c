import type { Listening, Media } from '../../../media/media.ts'
import { SAMPLES_PER_BLOCK, SAMPLES_PER_MS } from '../block.ts'
import { createSampleQueue } from '../sample-queue.ts'
import { createSpareAudio } from '../spare-audio.ts'
import type { Voice } from './voice.ts'

/** The streams that the media engine renders, generated ones and files, mixed to one voice. */
export interface RenderedVoice extends Voice {
  /** Selects the streams. Nothing is rendered for none. */
  select(streamIds: readonly string[]): void
}

/** Milliseconds of audio that are awaited before the first block: the engine draws frames of 33 ms. */
const START = 40
/** Milliseconds that are kept at most: what waits needlessly is left out when it is taken. */
const MAX_WAITING = 1_000

/** @param id unique among the outputs of the engine */
export function createRenderedVoice(
  media: Pick<Media, 'listenToStreams'>,
  id: string,
  sessionId: string,
): RenderedVoice {
  const ready = createSampleQueue()
  let isPlaying = false
  const spareAudio = createSpareAudio()
  let listening: Promise<Listening | undefined> | undefined
  let selected: readonly string[] = []

  const choices = () => selected.map((streamId) => ({ streamId, hasAudio: true, hasVideo: false }))
  function receive(samples: Int16Array): void {
    ready.drop(Math.max(0, ready.length - MAX_WAITING * SAMPLES_PER_MS))
    ready.add(samples)
  }
  function stop(): void {
    const ended = listening
    listening = undefined
    stopped = Promise.all([stopped, ended?.then((open) => open?.stop())]).catch(() => {}) // the engine has ended
  }
  /** Resolves when the engine has no output of this id any more. */
  let stopped: Promise<unknown> = Promise.resolve()

  return {
    select(streamIds) {
      selected = streamIds
      if (selected.length === 0) return stop()
      if (listening) return void listening.then((open) => open?.setStreams(choices()))
      const spec = { id, sessionId, streams: choices() }
      listening = stopped
        .then(() => media.listenToStreams?.(spec, { onSamples: receive, onFailure() {} }))
        .catch(() => undefined) // the engine has ended: the phone hears the other voices
    },
    take() {
      isPlaying = ready.length >= (isPlaying ? SAMPLES_PER_BLOCK : START * SAMPLES_PER_MS)
      if (!isPlaying) {
        spareAudio.reset()
        return undefined
      }
      const block = ready.take(SAMPLES_PER_BLOCK)
      const spare = spareAudio.note(ready.length / SAMPLES_PER_MS, START)
      ready.drop(spare * SAMPLES_PER_MS)
      return block
    },
    skip(blocks) {
      ready.drop(blocks * SAMPLES_PER_BLOCK)
    },
    close: stop,
  }
}
