import { withUris } from '../media/hls/playlists/uris.ts'

/** Returns a playlist with each URI replaced by its link. A URI that occurs often is linked once. */
export async function linkPlaylist(playlist: string, linkTo: (uri: string) => Promise<string>): Promise<string> {
  const uris = new Set<string>()
  withUris(playlist, (uri) => {
    uris.add(uri)
    return uri
  })
  const links = new Map(await Promise.all([...uris].map(async (uri) => [uri, await linkTo(uri)] as const)))
  return withUris(playlist, (uri) => links.get(uri) ?? uri)
}
