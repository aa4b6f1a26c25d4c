import { basename } from 'node:path'
import type { ByteSource } from '../../../../lib/media/byte-source.ts'
import type { PublishedTrack } from '../../../../lib/media/joining/published-track.ts'
import { type Package, packageOf } from '../hls/package-of.ts'

export interface Part {
  readonly package: Package
  readonly video: PublishedTrack
  readonly audio: PublishedTrack
}

/** Publishes a recording as HLS in pieces of a few seconds, in a directory beside it that playlists in a sibling can name. */
export async function publishedPart(source: ByteSource, path: string): Promise<Part> {
  const directory = `${path}-hls`
  const made = await packageOf(source, 8, directory)
  const track = (type: 'video' | 'audio'): PublishedTrack => {
    const { initUri, pieces } = made.renditions[type] ?? { initUri: '', pieces: [] }
    const seen = (uri: string) => `../${basename(directory)}/${uri}`
    return {
      type,
      rendition: { initUri: seen(initUri), pieces: pieces.map(({ uri, index }) => ({ uri: seen(uri), index })) },
      read: async (uri, { offset, size } = { offset: 0, size: Number.POSITIVE_INFINITY }) =>
        (made.files.get(basename(uri)) as Buffer).subarray(offset, offset + size),
    }
  }
  return { package: made, video: track('video'), audio: track('audio') }
}
