import { pickAgreement } from './agreement.ts'
import { type Audio, between, compareAudio, decodeAudio, findAgreements, isAudible } from './compare-audio.ts'
import { comparePictures, decodeComparedPictures } from './compare-pictures.ts'
import { endOf, type PublishedTrack, segmentsOf, trackEnd } from './published-track.ts'
import { type ReadSegments, readSegments } from './read-segments.ts'

/** The compared tracks of a part: its picture, best in its smallest size, and its audio. */
export interface ComparedPart {
  readonly video: PublishedTrack | undefined
  readonly audio: PublishedTrack | undefined
}

export interface FindOverlapOptions {
  readonly earlier: ComparedPart
  readonly later: ComparedPart
  /** Seconds of the earlier part at which the later one is expected to begin. */
  readonly expected: number
  readonly ffmpegPath: string
}

/** Seconds of the later part that are searched in the earlier one; the first second of a recording may be unsettled. */
const PROBE = { skipped: 1, length: 4, shortest: 1 } as const
/** Maximum error of the expected shift in seconds. */
const UNCERTAINTY = 4
/** Seconds between shifts at which pictures are compared: half a frame. */
const STEP = 1 / 60
/** Minimum confidence; below it another shift is about as good. */
const MIN_CONFIDENCE = 0.3

/**
 * Finds the start of the later of two parts within the earlier one, by the content of both. Pictures decide to a frame,
 * since repeating audio is ambiguous; audio then refines the time to less than a millisecond. Undefined when the parts
 * do not overlap, show nothing that moves, or agree nowhere or in several places.
 * @returns `shift` in seconds of the earlier part, and its advantage over the next best shift, from 0 to 1
 * @throws {@link MediaError} when published segments cannot be decoded; errors of the track pass through unchanged
 */
export async function findOverlap({ earlier, later, expected, ffmpegPath }: FindOverlapOptions) {
  const kind = earlier.video && later.video ? 'video' : 'audio'
  const [one, other] = [earlier[kind], later[kind]]
  if (!one || !other) return undefined
  const common = Math.min(trackEnd(one) - expected, trackEnd(other))
  const skipped = Math.min(PROBE.skipped, Math.max(0, common - PROBE.length) / 2)
  const probe = [skipped, skipped + Math.min(PROBE.length, common - skipped)] as const
  if (probe[1] - probe[0] < PROBE.shortest) return undefined
  const place = [expected - UNCERTAINTY + probe[0], expected + UNCERTAINTY + probe[1]] as const

  const [long, short] = await audioOf(earlier.audio, later.audio, place, probe, ffmpegPath)
  const hasAudio = long !== undefined && short !== undefined && isAudible(short)
  if (kind === 'audio') {
    const best = hasAudio ? pickAgreement(findAgreements(long, short)) : undefined
    return best && best.confidence >= MIN_CONFIDENCE ? { shift: best.shift, confidence: best.confidence } : undefined
  }
  const [seenEarlier, seenLater] = [await readRange(one, place), await readRange(other, probe)]
  if (!seenEarlier || !seenLater) return undefined
  const pictures = [
    await decodeComparedPictures(ffmpegPath, seenEarlier, place),
    await decodeComparedPictures(ffmpegPath, seenLater, probe),
  ] as const
  const shifts = Array.from(
    { length: 2 * Math.ceil(UNCERTAINTY / STEP) + 1 },
    (_, n) => expected - UNCERTAINTY + n * STEP,
  )
  const seen = pickAgreement(comparePictures(...pictures, shifts))
  if (!seen || seen.confidence < MIN_CONFIDENCE) return undefined
  const heard = hasAudio ? compareAudio(long, short, seen.shift, 2 * STEP) : undefined
  return { shift: heard && heard.score > 0.5 ? heard.shift : seen.shift, confidence: seen.confidence }
}

type Range = readonly [from: number, until: number]

async function audioOf(
  earlier: PublishedTrack | undefined,
  later: PublishedTrack | undefined,
  place: Range,
  probe: Range,
  ffmpegPath: string,
): Promise<[Audio, Audio] | []> {
  const [long, short] = [earlier && (await readRange(earlier, place)), later && (await readRange(later, probe))]
  if (!long || !short) return []
  const decode = async (segments: ReadSegments, range: Range) => between(await decodeAudio(ffmpegPath, segments), range)
  return [await decode(long, place), await decode(short, probe)]
}

async function readRange(track: PublishedTrack, [from, until]: Range): Promise<ReadSegments | undefined> {
  const within = segmentsOf(track).filter((segment) => segment.start < until && endOf(segment) > from)
  return within.length > 0 ? readSegments(track, within) : undefined
}
