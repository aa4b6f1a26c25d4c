import { expectValidPlaylist } from '../hls/expect-valid-playlist.ts'

/** A media playlist as a player reads it. */
export interface Playlist {
  /** The longest that a segment may be, in seconds. */
  readonly target: number
  /** The number of the first segment. */
  readonly sequence: number
  readonly segments: readonly { readonly name: string; readonly seconds: number }[]
  readonly hasEnded: boolean
}

/** Reads a media playlist, and expects it to be valid. An empty text is one without segments. */
export function readPlaylist(text: string): Playlist {
  if (text !== '') expectValidPlaylist(text)
  const tag = (name: string) => Number(new RegExp(`^#EXT-X-${name}:(\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  return {
    target: tag('TARGETDURATION'),
    sequence: tag('MEDIA-SEQUENCE'),
    segments: [...text.matchAll(/^#EXTINF:([\d.]+),.*\n([^#\n]+)$/gm)].map(([, seconds, name]) => ({
      name: String(name),
      seconds: Number(seconds),
    })),
    hasEnded: /^#EXT-X-ENDLIST$/m.test(text),
  }
}
