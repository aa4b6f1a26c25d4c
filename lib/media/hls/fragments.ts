import { box, fullBox, text, u32, u64 } from './boxes.ts'
import { TRACK_ID } from './init-segment.ts'
import type { Sample } from './samples.ts'

/** Sample flags of ISO/IEC 14496-12, 8.8.3.1. */
const SYNC = 0x02000000 // depends on no other
const NOT_SYNC = 0x01010000 // depends on others, and is no place to begin

export interface FragmentOptions {
  readonly type: 'video' | 'audio'
  readonly timescale: number
  /** Ticks that a sample is decoded before its slot. */
  readonly delay: number
  /** Ticks added to all times so that none is negative; the init segment's edit list takes them away again. */
  readonly lead: number
}

/**
 * Writes the head of a fragment: its moof and the header of its mdat, behind which the samples' data follow in order. Times are
 * absolute, so that fragments made apart form one timeline.
 */
export function writeFragmentHead(samples: readonly Sample[], options: FragmentOptions): Buffer {
  const dataSize = samples.reduce((sum, { size }) => sum + size, 0)
  const mdat = mdatHeader(dataSize)
  const entries = options.type === 'video' ? videoEntries(samples, options) : audioEntries(samples)
  const moof = (dataOffset: number) => writeMoof(samples, entries, options, dataOffset)
  return Buffer.concat([moof(moof(0).length + mdat.length), mdat])
}

function writeMoof(
  samples: readonly Sample[],
  entries: Buffer,
  { type, timescale, delay, lead }: FragmentOptions,
  dataOffset: number,
): Buffer {
  const isVideo = type === 'video'
  const first = samples[0] as Sample
  const start = first.slot - delay + lead
  // Only order counts; made of the time, it needs no piece to know how many fragments others have.
  const sequenceNumber = Math.floor((start / timescale) * 1000) + 1
  const runFlags = isVideo ? 0x000b05 : 0x000301 // offset of the data; durations, sizes; video: first flags, time offsets
  const firstFlags = isVideo ? [u32(first.isKey ? SYNC : NOT_SYNC)] : []
  return box(
    'moof',
    fullBox('mfhd', 0, 0, u32(sequenceNumber)),
    box(
      'traf',
      fullBox('tfhd', 0, 0x020020, u32(TRACK_ID, isVideo ? NOT_SYNC : SYNC)), // offsets count from the moof
      fullBox('tfdt', 1, 0, u64(start)),
      fullBox('trun', 1, runFlags, u32(samples.length, dataOffset), ...firstFlags, entries),
    ),
  )
}

/** One buffer for all: twelve hours have millions of them. */
function videoEntries(samples: readonly Sample[], { delay }: FragmentOptions): Buffer {
  const entries = Buffer.alloc(samples.length * 12)
  for (const [index, { time, slot, duration, size }] of samples.entries()) {
    entries.writeUInt32BE(duration, index * 12)
    entries.writeUInt32BE(size, index * 12 + 4)
    entries.writeInt32BE(time - slot + delay, index * 12 + 8)
  }
  return entries
}

function audioEntries(samples: readonly Sample[]): Buffer {
  const entries = Buffer.alloc(samples.length * 8)
  for (const [index, { duration, size }] of samples.entries()) {
    entries.writeUInt32BE(duration, index * 8)
    entries.writeUInt32BE(size, index * 8 + 4)
  }
  return entries
}

const mdatHeader = (dataSize: number) =>
  dataSize + 8 < 2 ** 32
    ? Buffer.concat([u32(dataSize + 8), text('mdat')])
    : Buffer.concat([u32(1), text('mdat'), u64(dataSize + 16)])
