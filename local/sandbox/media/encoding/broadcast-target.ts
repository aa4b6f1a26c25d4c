import { join } from 'node:path'
import { type Muxer, teeArguments } from './tee.ts'

/** Name of the playlist in a broadcast's directory and in URLs. */
export const PLAYLIST_FILE = 'index.m3u8'

/** Target of a broadcast's encoding: an HLS playlist with its segments, FLV on standard output, or both. */
export interface BroadcastTarget {
  readonly type: 'broadcast'
  readonly hls?: { readonly directory: string; readonly segmentSeconds: number } | undefined
  readonly flv: boolean
}

/** Returns true if codec parameters go into a global header, as FLV needs them, instead of into each key frame. */
export const needsGlobalHeader = ({ flv }: BroadcastTarget) => flv

/** Returns ffmpeg's output arguments for a broadcast. */
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

/** Segments and playlist appear under their names only when complete. A build of 2018 cannot do that, and warns. */
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

/** Each frame is written at once, and no length is filled in afterwards: a pipe is not seekable. */
const FLV: Muxer = { format: 'flv', options: { flvflags: 'no_duration_filesize', flush_packets: '1' }, file: 'pipe:1' }
