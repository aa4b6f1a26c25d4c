import { FfmpegError } from '../../../../lib/media/media-error.ts'
import type { ServiceDependencies } from '../../../../lib/services.ts'

type Media = NonNullable<ServiceDependencies['media']>

/** Kind of the fault that its time begins with. */
export const UNDECODABLE_PICTURES = 'undecodable pictures'

/** Seconds of the world in which no picture can be decoded: another version of ffmpeg refuses what the former one accepted. */
export interface Undecodable {
  readonly at: number
  readonly seconds: number
}

/** Returns true in a time in which no picture can be decoded. @param since milliseconds since the world began */
export const isUndecodable = (time: Undecodable | undefined, since: number): boolean =>
  time !== undefined && since >= time.at * 1000 && since < (time.at + time.seconds) * 1000

/** Wraps media so that pictures cannot be decoded while `isNow` returns true. */
export function withUndecodable(media: Media, isNow: () => boolean): Media {
  const refuse = () => {
    if (isNow())
      throw new FfmpegError('ffmpeg cannot decode the picture.', { words: 'Invalid data found when processing input' })
  }
  return {
    ...media,
    async makePoster(...order) {
      refuse()
      return media.makePoster(...order)
    },
    async *makeThumbnails(...order) {
      refuse()
      yield* media.makeThumbnails(...order)
    },
    async encodePiece(...order) {
      refuse()
      return media.encodePiece(...order)
    },
  }
}
