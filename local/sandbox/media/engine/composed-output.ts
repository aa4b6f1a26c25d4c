import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError } from '../../../../lib/media/media-error.ts'
import { type Composition, createComposition } from '../composing/composition.ts'
import { arrange } from '../composing/layouts.ts'
import { PLAYLIST_FILE } from '../encoding/broadcast-target.ts'
import { createEncoder } from '../encoding/encoder.ts'
import { endPlaylist } from '../encoding/playlist.ts'
import { fingerprint } from '../recorded-file.ts'
import { FRAMES_PER_SECOND } from '../timebase.ts'
import type { ComposedSetup } from './commands.ts'
import { mixVoices } from './mixer.ts'
import type { Output } from './output.ts'
import type { Session } from './session.ts'

/** Starts an output that shows all streams in one picture, with its encoder. `onFlv` is called with each chunk of FLV. */
export function createComposedOutput(
  ffmpegPath: string,
  setup: ComposedSetup,
  session: Session,
  onFlv: (chunk: Uint8Array) => void,
): Output {
  const { width, height, hasAudio, hasVideo, target } = setup
  const encoder = createEncoder(ffmpegPath, setup)
  encoder.flv?.on('data', onFlv)
  const composition: Composition | undefined = hasVideo ? createComposition(width, height) : undefined
  let { layout, streams, isPaused = false } = setup
  let isStale = true
  let frames = 0
  const seconds = () => frames / FRAMES_PER_SECOND

  return {
    setup,
    started: encoder.started,
    failed: encoder.failed,
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
        const placements = arrange(layout, session.chosen(streams).seen, width, height)
        composition.arrange(placements.map(({ stream, ...place }) => ({ stream: stream.source, ...place })))
      }
      isStale = false
    },
    sizeOf: (source) => composition?.sizeOf(source),
    async draw() {
      composition?.draw()
      const buffer = await encoder.nextBuffer()
      if (!buffer) return
      if (composition) buffer.picture.set(composition.picture.data)
      if (hasAudio)
        mixVoices(
          session.chosen(streams).heard.map(({ source }) => source.audio),
          buffer.audio,
        )
      encoder.send(buffer)
      frames++
    },
    async finish() {
      try {
        await encoder.finish()
        return { seconds: seconds(), file: target.type === 'broadcast' ? undefined : await fingerprint(target.path) }
      } catch (error) {
        await abandon(target).catch(() => {})
        if (error instanceof MediaError) throw error
        throw new MediaError('The file could not be finished.', { cause: error }) // a full disk, say
      }
    },
    async discard() {
      await encoder.kill()
      await abandon(target)
    },
  }
}

/** Cleans up after an encoder that did not finish, so that players reach the end of the broadcast. */
async function abandon(target: ComposedSetup['target']): Promise<void> {
  if (target.type !== 'broadcast' || !target.hls) return
  const { directory } = target.hls
  for (const file of await readdir(directory)) {
    if (file.endsWith('.tmp')) await rm(join(directory, file))
  }
  const path = join(directory, PLAYLIST_FILE)
  const whole = await readFile(path, 'utf8').catch(() => undefined)
  if (whole !== undefined) await writeFile(path, endPlaylist(whole))
}
