import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createPicture, isSameSize, wholeOf } from '../../composing/picture.ts'
import { createScaler } from '../../composing/scaler.ts'
import { createEncoder } from '../../encoding/encoder.ts'
import type { EngineParticipant } from '../session.ts'
import { measure } from './zip.ts'

export interface Tracks {
  readonly hasAudio: boolean
  readonly hasVideo: boolean
}

/** The file of a stream that is being encoded. */
export type StreamFile = ReturnType<typeof createStreamFile>

export interface FinishedStream {
  readonly filename: string
  readonly path: string
  readonly size: number
  readonly crc: number
}

/** Starts encoding the file of a stream, in the size of its source. */
export function createStreamFile(
  ffmpegPath: string,
  directory: string,
  participant: EngineParticipant,
  tracks: Tracks,
) {
  const { streamId, source } = participant
  const { width, height } = source
  const filename = `${streamId}.webm`
  const path = join(directory, filename)
  const encoder = createEncoder(ffmpegPath, { width, height, ...tracks, target: { type: 'webm', path } })
  const black = createPicture(width, height)
  const enlarged = createPicture(width, height)

  /** Returns the picture in full size. A source that was drawn smaller stays so for a moment. */
  function wholePicture() {
    const { picture } = source
    if (isSameSize(picture, enlarged)) return picture
    createScaler(picture, enlarged, wholeOf(enlarged)).draw(wholeOf(picture))
    return enlarged
  }

  return {
    participant,
    tracks,
    failed: encoder.failed,
    /** Writes one frame of the stream; a track that is not taken is black or silent. */
    async draw(taken: Tracks): Promise<void> {
      const buffer = await encoder.nextBuffer()
      if (!buffer) return
      if (tracks.hasVideo) buffer.picture.set((taken.hasVideo ? wholePicture() : black).data)
      if (tracks.hasAudio) {
        if (taken.hasAudio && source.audio) buffer.audio.set(source.audio)
        else buffer.audio.fill(0)
      }
      encoder.send(buffer)
    },
    async finish(): Promise<FinishedStream> {
      await encoder.finish()
      return { filename, path, ...(await measure(createReadStream(path))) }
    },
    kill: encoder.kill,
  }
}
