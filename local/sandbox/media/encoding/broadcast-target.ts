import { join } from 'node:path'
import { type Muxer, teeArguments } from './tee.ts'

export const PLAYLIST_FILE = 'index.m3u8'

/** Where a broadcast goes: to an HLS playlist with its segments, as FLV to standard output, or to both from one encoding. */
export interface BroadcastTarget {
  readonly type: 'broadcast'
  readonly hls?: { readonly directory: string; readonly segmentSeconds: number } | undefined
  readonly flv: boolean
}

/** FLV keeps what decoders need at its head and not with each key frame; segments then get it from there. */
export const needsGlobalHeader = ({ flv }: BroadcastTarget) => flv

/** The end of ffmpeg's command line that writes so. */
export function broadcastArguments({ hls, flv }: BroadcastTarget): string[] {
  const muxers = [...(hls ? [hlsMuxer(hls)] : []), ...(flv ? [FLV] : [])]
  const [only] = muxers
  if (muxers.length === 1 && only)
    return [
      '-f',
      only.format,
      ...Object.entries(only.options).flatMap(([name, value]) => [`-${name}`, value]),
      only.file,
    ]
  return teeArguments(muxers)
}

/** Segments and playlist appear under their names only when they are complete (a build of 2018 cannot, and says so on standard error). */
const hlsMuxer = ({ directory, segmentSeconds }: NonNullable<BroadcastTarget['hls']>): Muxer => ({
  format: 'hls',
  options: {
    hls_time: String(segmentSeconds),
    hls_list_size: '0',
    hls_playlist_type: 'event',
    hls_flags: 'temp_file+independent_segments',
    hls_segment_filename: join(directory, 'segment-%05d.ts'),
  },
  file: join(directory, PLAYLIST_FILE),
})

/** Each frame is written as soon as it is encoded; a pipe cannot be gone back in to write a length. */
const FLV: Muxer = { format: 'flv', options: { flvflags: 'no_duration_filesize', flush_packets: '1' }, file: 'pipe:1' }
