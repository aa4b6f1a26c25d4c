import { posix } from 'node:path'
import type { Storage } from '../aws/storage/storage.ts'
import { writeCaptionsPlaylist, writeCaptionsSegment } from '../media/captions/hls-captions.ts'
import { languageName, parseLanguage } from '../media/captions/language.ts'
import { parseWebVtt } from '../media/captions/web-vtt.ts'
import { withCaptions } from '../media/hls/playlists/master-playlist.ts'
import { withUris } from '../media/hls/playlists/uris.ts'
import { MediaError } from '../media/media-error.ts'
import { keys } from '../show/state/keys.ts'
import { editionOf } from './editions.ts'
import type { FileRole, Manifest } from './manifest/manifest.ts'
import { publishFile } from './published-files.ts'

/** Is raised when the same captions would give other playlists. */
const RECIPE = 1

type Files = Manifest['files']

export const captionsOf = (manifest: Manifest | undefined): Files =>
  (manifest?.files ?? []).filter(({ role }) => role === 'captions')

/** Returns the language of a captions file, such as `pt-BR` of `…/pt-BR.vtt`. */
export const languageOfKey = ({ key }: { readonly key: string }) => posix.basename(key, '.vtt')

const isPlaylistOfCaptions = ({ role, key }: Files[number]) =>
  role === 'hls-media' && posix.basename(key).startsWith('captions-')

/**
 * Returns a manifest whose playlists carry exactly the captions that it lists, and stores these playlists. The caller writes the
 * manifest with its own change, so captions and playlists appear together. The same input gives the same keys and bytes.
 * @throws {@link StorageError} when the bucket fails
 */
export async function carryCaptions(manifest: Manifest, storage: Pick<Storage, 'readText' | 'put'>): Promise<Manifest> {
  const { archiveId, duration, keepDays = null, source, files } = manifest
  const captions = captionsOf(manifest)
  const others = files.filter((file) => !isPlaylistOfCaptions(file))
  const master = others.find(({ role }) => role === 'hls')
  if (!master || duration === null || (captions.length === 0 && others.length === files.length)) return manifest

  const text = await storage.readText(master.key)
  if (text === undefined) return manifest // it was deleted: no playlist could carry the captions
  const byKeys = withUris(withCaptions(text, []), (uri) => posix.join(posix.dirname(master.key), uri))
  const recipe = { recipe: RECIPE, duration, byKeys, captions: captions.map(({ key }) => key) }
  const edition = editionOf({ etag: source.etag ?? '', recipe })
  const keyOf = (file: string) => keys.published(archiveId, 'playlists', edition, file)
  const uriOf = (key: string) => posix.relative(posix.dirname(keyOf('master.m3u8')), key)
  const publish = (role: FileRole, file: string, content: string) =>
    publishFile(storage, { role, key: keyOf(file), content, contentType: 'application/vnd.apple.mpegurl', keepDays })

  const entries = captions.map((file) => {
    const language = languageOfKey(file)
    return { uri: `captions-${language}.m3u8`, name: languageName(language), language, file }
  })
  const playlists = entries.map(({ uri, file }) =>
    publish('hls-media', uri, writeCaptionsPlaylist({ uri: uriOf(file.key), duration })),
  )
  const captioned = publish('hls', 'master.m3u8', withCaptions(withUris(byKeys, uriOf), entries))
  const rest = others.filter((file) => file !== master)
  return { ...manifest, files: [...rest, ...(await Promise.all([...playlists, captioned]))] }
}

/** A parsed value, or a sentence that says why it cannot be parsed. */
type Parsed = { readonly value: string } | { readonly problem: string }

/** Returns a language tag in its canonical form. */
export const parseCaptionsLanguage = (tag: string): Parsed => attempt(() => parseLanguage(tag))

/** Returns WebVTT captions in the form that HLS players load. */
export const parseCaptions = (webVtt: string): Parsed => attempt(() => writeCaptionsSegment(parseWebVtt(webVtt)))

function attempt(parse: () => string): Parsed {
  try {
    return { value: parse() }
  } catch (error) {
    if (error instanceof MediaError) return { problem: error.message }
    throw error
  }
}
