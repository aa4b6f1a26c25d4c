import { type Muxer, teeArguments } from './tee.ts'

/** Name of the playlist with all segments in a broadcast's directory, and of the playlist in URLs. */
export const PLAYLIST_FILE = 'index.m3u8'

/** Target of a broadcast's encoding: fragments for HLS on file descriptor 4, FLV on standard output, or both. */
export interface BroadcastTarget {
  readonly type: 'broadcast'
  readonly hls?:
    | {
        /** Folder in which the segments are kept. */
        readonly directory: string
        /** Time of the first frame, in milliseconds since the epoch. */
        readonly startTime: number
      }
    | undefined
  readonly flv: boolean
}

/** Returns ffmpeg's output arguments for a broadcast. */
export function broadcastArguments({ hls, flv }: BroadcastTarget): string[] {
  const muxers = [...(hls ? [FRAGMENTS] : []), ...(flv ? [FLV] : [])]
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

/** Microseconds after which a fragment ends at the next frame: ten frames, so that six fragments are a segment. */
const FRAGMENT = 330_000

const FRAGMENTS: Muxer = {
  format: 'mp4',
  options: {
    movflags: '+frag_keyframe+delay_moov+default_base_moof+skip_trailer',
    frag_duration: String(FRAGMENT),
    flush_packets: '1',
    avoid_negative_ts: 'disabled', // the audio's start is before 0
  },
  file: 'pipe:4',
}

/** Each frame is written at once, and no length is filled in afterwards: a pipe is not seekable. */
const FLV: Muxer = { format: 'flv', options: { flvflags: 'no_duration_filesize', flush_packets: '1' }, file: 'pipe:1' }
