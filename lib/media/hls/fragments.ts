import { box, fullBox, mediaHeader, u32, u64 } from '../mp4/boxes.ts'
import { TRACK_ID } from './init-segment.ts'
import type { TimedSample } from './packets/decode-times.ts'

/** Sample flags of ISO/IEC 14496-12, 8.8.3.1. */
const SYNC = 0x02000000 // decodes without others
const NOT_SYNC = 0x01010000 // depends on others

export interface FragmentOptions {
  readonly type: 'video' | 'audio'
  readonly timescale: number
  /** Ticks added to the times at which samples are shown, see Timeline. */
  readonly lead: number
}

/** Writes a fragment's `moof` and `mdat` header. Times are absolute, so that fragments written apart form one timeline. */
export function writeFragmentHead(samples: readonly TimedSample[], options: FragmentOptions): Buffer {
  const dataSize = samples.reduce((sum, { size }) => sum + size, 0)
  const mdat = mediaHeader(dataSize)
  const entries = options.type === 'video' ? videoEntries(samples, options) : audioEntries(samples)
  const moof = (dataOffset: number) => writeMoof(samples, entries, options, dataOffset)
  return Buffer.concat([moof(moof(0).length + mdat.length), mdat])
}

function writeMoof(
  samples: readonly TimedSample[],
  entries: Buffer,
  { type, timescale }: FragmentOptions,
  dataOffset: number,
): Buffer {
  const isVideo = type === 'video'
  const first = samples[0] as TimedSample
  const runFlags = isVideo ? 0x000b05 : 0x000301 // offset of the data; durations, sizes; video: first flags, time offsets
  const firstFlags = isVideo ? [u32(first.isKey ? SYNC : NOT_SYNC)] : []
  return box(
    'moof',
    fullBox('mfhd', 0, 0, u32(sequenceNumber(first.decodeTime, timescale))),
    box(
      'traf',
      fullBox('tfhd', 0, 0x020020, u32(TRACK_ID, isVideo ? NOT_SYNC : SYNC)), // offsets count from the moof
      fullBox('tfdt', 1, 0, u64(first.decodeTime)),
      fullBox('trun', 1, runFlags, u32(samples.length, dataOffset), ...firstFlags, entries),
    ),
  )
}

/** Returns the sequence number of a fragment. It depends on the time alone, so that pieces can be cut apart. */
export const sequenceNumber = (decodeTime: number, timescale: number) => Math.floor((decodeTime / timescale) * 1000) + 1

/** Writes the entries of all samples into one buffer: twelve hours have millions. */
function videoEntries(samples: readonly TimedSample[], { lead }: FragmentOptions): Buffer {
  const entries = Buffer.alloc(samples.length * 12)
  for (const [index, { time, decodeTime, decodeDuration, size }] of samples.entries()) {
    entries.writeUInt32BE(decodeDuration, index * 12)
    entries.writeUInt32BE(size, index * 12 + 4)
    entries.writeInt32BE(time + lead - decodeTime, index * 12 + 8)
  }
  return entries
}

function audioEntries(samples: readonly TimedSample[]): Buffer {
  const entries = Buffer.alloc(samples.length * 8)
  for (const [index, { decodeDuration, size }] of samples.entries()) {
    entries.writeUInt32BE(decodeDuration, index * 8)
    entries.writeUInt32BE(size, index * 8 + 4)
  }
  return entries
}
