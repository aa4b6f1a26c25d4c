import { LIVE_AUDIO } from '../../../../lib/media/hls/live/live-multivariant.ts'
import { type Muxer, teeArguments } from './tee.ts'

/** Name of the playlist with all segments in a broadcast's directory, and of the playlist in URLs. */
export const PLAYLIST_FILE = 'index.m3u8'
/** Name of the playlist of all renditions, in URLs. */
export const LADDER_FILE = 'ladder.m3u8'

/** A rendition of a broadcast's ladder. */
export interface LiveRendition {
  /** Name of its folder. */
  readonly name: string
  /** Even numbers. */
  readonly width: number
  readonly height: number
}

/**
 * Target of a broadcast's encoding: fragments for HLS on file descriptor 4, FLV on standard output, or both.
 * Fragments of a ladder's renditions are on the file descriptors that follow, see `renditionsOf`.
 */
export interface BroadcastTarget {
  readonly type: 'broadcast'
  readonly hls?:
    | {
        /** Folder in which the segments are kept. */
        readonly directory: string
        /** Time of the first frame, in milliseconds since the epoch. */
        readonly startTime: number
        /** Renditions of video, the first in the size of the picture. Audio is one more. @default none */
        readonly ladder?: readonly LiveRendition[] | undefined
      }
    | undefined
  readonly flv: boolean
}

/** Returns ffmpeg's output arguments for a broadcast. */
export function broadcastArguments({ hls, flv }: BroadcastTarget): string[] {
  const all = [...(hls ? [FRAGMENTS] : []), ...(flv ? [FLV] : [])]
  const renditions = renditionsOf(hls)
  const muxers =
    renditions.length > 0 ? [...all.map((muxer) => selecting(muxer, 'v:0,a')), ...ladderOf(renditions)] : all
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

/** File descriptor of a ladder's first rendition. */
const FIRST_PIPE = 5

/** Lists the renditions of a ladder with the file descriptors of their fragments; audio is the last one. */
export function renditionsOf(hls: BroadcastTarget['hls']): { readonly name: string; readonly pipe: number }[] {
  const names = hls?.ladder ? [...hls.ladder.map(({ name }) => name), LIVE_AUDIO] : []
  return names.map((name, index) => ({ name, pipe: FIRST_PIPE + index }))
}

const selecting = (muxer: Muxer, select: string): Muxer => ({ ...muxer, options: { ...muxer.options, select } })

const ladderOf = (renditions: ReturnType<typeof renditionsOf>): Muxer[] =>
  renditions.map(({ name, pipe }, index) => {
    const muxer = { ...FRAGMENTS, file: `pipe:${pipe}` }
    if (name !== LIVE_AUDIO) return selecting(muxer, `v:${index}`)
    return selecting({ ...muxer, options: { ...muxer.options, frag_duration: String(AUDIO_FRAGMENT) } }, 'a')
  })

/** Microseconds after which a fragment of audio ends: 15 frames of 1024 samples last 320 ms. */
const AUDIO_FRAGMENT = 319_000

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
