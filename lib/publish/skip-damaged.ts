import { FfmpegError, isOfMedia, MediaError } from '../media/media-error.ts'
import { formatTimeRange, type TimeRange } from '../media/time-range.ts'
import type { MissingFormat } from './manifest/manifest.ts'

/** The format that is being made, in the words of the message that reports it missing. */
export interface Making {
  readonly format: MissingFormat['format']
  /** Name of the format in the message, such as `thumbnails`. */
  readonly what: string
  /** The media that it is made of. */
  readonly of: 'picture' | 'audio' | 'recording'
  /** @default the whole recording */
  readonly stretch?: TimeRange
}

/** Characters: the message of a recording contains several of these texts. */
const MAX = 400

/** Makes a format, or returns `nothing` and the reason for damaged media. The machine retries after other errors. */
export async function skipIfDamaged<Answer extends object>(
  making: Making,
  nothing: Answer,
  make: () => Promise<Answer>,
): Promise<Answer & { missing?: MissingFormat }> {
  try {
    return await make()
  } catch (error) {
    if (!isOfMedia(error)) throw error
    return { ...nothing, missing: { format: making.format, problem: `No ${making.what}: ${reasonOf(error, making)}` } }
  }
}

/** Makes a file that every format needs. @throws {@link MediaError} for media that cannot be decoded */
export async function asMediaError<Made>(
  making: Pick<Making, 'of' | 'stretch'>,
  make: () => Promise<Made>,
): Promise<Made> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof FfmpegError) || !isOfMedia(error)) throw error
    const reason = undecodable(error, making)
    throw new MediaError(reason.charAt(0).toUpperCase() + reason.slice(1), { cause: error })
  }
}

const reasonOf = (error: MediaError, making: Making): string =>
  error instanceof FfmpegError ? undecodable(error, making) : shortened(insideSentence(error.message))

function undecodable(error: FfmpegError, { of, stretch }: Pick<Making, 'of' | 'stretch'>): string {
  const where = stretch ? ` ${formatTimeRange(stretch)}` : ''
  return `the ${of} cannot be decoded${where}${error.words ? ` (${shortened(error.words)})` : ''}.`
}

/** Makes the first letter lower-case, unless the first word is a name or an abbreviation. */
const insideSentence = (sentence: string) => sentence.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())

const shortened = (words: string) => (words.length <= MAX ? words : `${words.slice(0, MAX - 1)}…`)
