import { expectValidPresentation } from './expect-valid-playlist.ts'
import { parsePlaylist, unquoted } from './parse.ts'

/** Lists the URIs of the media playlists that a multivariant playlist names. */
function mediaUrisOf(multivariant: string): string[] {
  const { lines, tags } = parsePlaylist(multivariant)
  const attributes = tags.flatMap((tag) => unquoted(tag.attributes.get('URI')) ?? [])
  return [...attributes, ...lines.filter((line) => line !== '' && !line.startsWith('#'))]
}

/**
 * Reads a multivariant playlist and all media playlists that it names, and expects them to be valid, each and together.
 * @param read returns the text of a playlist, by its URI in the multivariant playlist
 * @returns how many media playlists there are
 */
export async function expectValidPlaylists(
  multivariant: string,
  read: (uri: string) => Promise<string>,
): Promise<number> {
  const media = new Map<string, string>()
  for (const uri of mediaUrisOf(multivariant)) media.set(uri, await read(uri))
  expectValidPresentation(multivariant, media)
  return media.size
}
