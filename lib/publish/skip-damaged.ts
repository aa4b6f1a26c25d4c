import { formatTimeRange } from '../media/clock-time.ts'
import { FfmpegError, isOfMedia, MediaError } from '../media/media-error.ts'
import type { TimeRange } from '../media/time-range.ts'
import type { MissingFormat } from './manifest/manifest.ts'

/** What is being made, in the words in which its absence is told. */
export interface Making {
  readonly format: MissingFormat['format']
  /** What there will not be: `thumbnails`. */
  readonly what: string
  /** What it is made of. */
  readonly of: 'picture' | 'audio' | 'recording'
  /** All of it unless told. */
  readonly stretch?: TimeRange
}

/** Characters: all sentences of a recording have to fit into one message. */
const MAX = 400

/**
 * Makes something of a recording or, where its media do not allow that, answers `nothing` and why: one damaged stretch takes
 * away what needs it, and nothing else. Everything else that goes wrong is thrown, and tried again by the machine.
 */
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

/**
 * Makes what everything else is made of, so that there is nothing without it.
 * @throws MediaError in place of what ffmpeg says of media that it cannot decode; everything else unchanged
 */
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

/** A word that is no name or abbreviation begins small behind a colon. */
const insideSentence = (sentence: string) => sentence.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())

const shortened = (words: string) => (words.length <= MAX ? words : `${words.slice(0, MAX - 1)}…`)
