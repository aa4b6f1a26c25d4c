import { MediaError } from '../media-error.ts'
import { u8, u16 } from '../mp4/boxes.ts'

/** The content of an `avcC` box (ISO/IEC 14496-15, 5.3.3.1). */
interface AvcConfiguration {
  readonly profile: number
  readonly compatibility: number
  readonly level: number
  /** Bytes that state the length of a NAL unit. */
  readonly lengthBytes: number
  readonly sequences: readonly Buffer[]
  readonly pictures: readonly Buffer[]
  /** The fields that profiles from High on have at the end. */
  readonly rest: Buffer
}

/** Ids that H.264 allows for sequence parameter sets. */
const MAX_ID = 31

/** Returns the id of parameter sets that a track does not use, so that other ones can be added. @param avcC content of the box */
export function unusedId(avcC: Buffer): number {
  const { sequences, pictures } = parse(avcC)
  const used = new Set([...sequences.map((one) => readNumber(one, 4)), ...pictures.map((one) => readNumber(one, 1))])
  const id = Array.from({ length: MAX_ID }, (_, n) => n + 1).find((one) => !used.has(one))
  if (id === undefined)
    throw new MediaError('The video uses all ids of parameter sets: no frame can be encoded beside it.')
  return id
}

/** Names of x264 for the profiles of H.264. */
const PROFILES: Readonly<Record<number, string>> = { 66: 'baseline', 77: 'main' }

/** Returns the name of the profile in which frames beside a track are encoded. */
export const profileOf = (avcC: Buffer): string => PROFILES[avcC[1] ?? 0] ?? 'high'

/**
 * Merges the parameter sets of two encodings into one `avcC`, so that one sample entry serves for both.
 * @throws {@link MediaError} when their NAL units are stored in different ways
 */
export function mergeConfigurations(recorded: Buffer, added: Buffer): Buffer {
  const [one, other] = [parse(recorded), parse(added)]
  if (one.lengthBytes !== other.lengthBytes)
    throw new MediaError(
      'The video states the lengths of its NAL units in an unusual way: no frame can be encoded beside it.',
    )
  const sequences = [...one.sequences, ...other.sequences]
  const pictures = [...one.pictures, ...other.pictures]
  const leading = other.profile > one.profile ? other : one
  const framed = (unit: Buffer) => [u16(unit.length), unit]
  return Buffer.concat([
    u8(1, leading.profile, leading.compatibility, Math.max(one.level, other.level)),
    u8(0xfc | (one.lengthBytes - 1), 0xe0 | sequences.length),
    ...sequences.flatMap(framed),
    u8(pictures.length),
    ...pictures.flatMap(framed),
    leading.rest,
  ])
}

function parse(avcC: Buffer): AvcConfiguration {
  const [, profile = 0, compatibility = 0, level = 0, lengths = 0] = avcC
  let at = 5
  const units = (mask: number) =>
    Array.from({ length: (avcC[at++] ?? 0) & mask }, () => {
      const start = at + 2
      at = start + avcC.readUInt16BE(at)
      return avcC.subarray(start, at)
    })
  const [sequences, pictures] = [units(31), units(255)]
  return { profile, compatibility, level, lengthBytes: (lengths & 3) + 1, sequences, pictures, rest: avcC.subarray(at) }
}

/** Reads the first Exp-Golomb number (H.264, 9.1) at a byte of a NAL unit: the id of a parameter set, which is small. */
function readNumber(unit: Buffer, at: number): number {
  const bits = [...unit.subarray(at, at + 4)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const zeros = bits.indexOf('1')
  return Number.parseInt(bits.slice(zeros, 2 * zeros + 1), 2) - 1
}
