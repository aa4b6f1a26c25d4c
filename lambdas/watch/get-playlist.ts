import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { clipPlaylistPath, playlistPath, type WatchCredentials } from '../../lib/api/watch-routes.ts'
import { limitToClip } from '../../lib/publish/clips/clip-playlists.ts'
import { createFileLinks, linkPlaylist } from '../../lib/publish/file-links.ts'
import { type ClipRecord, isLiveClip } from '../../lib/publish/manifest/clip.ts'
import type { Services } from '../../lib/services.ts'
import { keys } from '../../lib/show/state/keys.ts'
import { ApiProblem } from '../http/problem.ts'
import { admitVisitor, type Visiting } from './visit.ts'

/**
 * `GET /watch/{archiveId}/playlist`: returns a stored playlist with links to its files, which must be in the manifest. The
 * playlist of a clip has only the segments that hold it.
 */
export async function getPlaylist(event: APIGatewayProxyEventV2, services: Visiting) {
  const { manifest, clip, query, credentials } = await admitVisitor(event, services)
  const { archiveId } = manifest
  if (clip && isLiveClip(clip)) return answer(event, await livePlaylist(clip, query.file ?? '', credentials, services))
  const listed = new Set(manifest.files.map(({ key }) => key))
  const key = `${keys.recording(archiveId)}${query.file ?? ''}`
  if (!isPlaylist(key) || !listed.has(key))
    throw new ApiProblem('unknown-file', 'The recording has no such playlist. Load the page again.')

  const text = await services.storage.readText(key)
  if (text === undefined) throw new ApiProblem('unknown-file', 'The playlist is no longer there. Load the page again.')
  const limited = clip ? limitToClip(text, key, manifest, clip) : text
  const linkToFile = createFileLinks(manifest, services.storage)
  return answer(event, await linkPlaylist(limited, (uri) => linkTo(posix.join(posix.dirname(key), uri))))

  async function linkTo(one: string): Promise<string> {
    if (!listed.has(one)) throw new ApiProblem('unknown-file', 'The playlist names a file that is not published.')
    if (!isPlaylist(one)) return linkToFile(one)
    return clip ? clipPlaylistPath(archiveId, clip.clipId, one, credentials) : playlistPath(archiveId, one, credentials)
  }
}

/** Returns a stored playlist of a clip of a live show. Its segments are files of the platform. */
async function livePlaylist(
  { archiveId, clipId }: ClipRecord,
  file: string,
  credentials: WatchCredentials | undefined,
  { storage }: Pick<Services, 'storage'>,
): Promise<string> {
  const folder = keys.published(archiveId, 'clips', clipId, '')
  const name = `${keys.recording(archiveId)}${file}`.slice(folder.length)
  const isOwn = `${folder}${name}` === keys.recording(archiveId) + file && /^[a-z0-9-]+\.m3u8$/.test(name)
  const text = isOwn ? await storage.readText(folder + name) : undefined
  if (text === undefined) throw new ApiProblem('unknown-file', 'The clip has no such playlist. Load the page again.')
  return linkPlaylist(text, async (uri) =>
    uri.includes(':') ? uri : clipPlaylistPath(archiveId, clipId, folder + uri, credentials),
  )
}

const isPlaylist = (key: string) => key.endsWith('.m3u8')

/** Characters of an uncompressed answer: a function may answer 6 MB, with its headers. */
const MAX_PLAIN_BYTES = 5 * 2 ** 20

const zip = promisify(gzip)

/** Compresses the playlist for clients that accept gzip: 7,200 segments have links of more than a thousand characters. */
async function answer(
  { headers }: APIGatewayProxyEventV2,
  playlist: string,
): Promise<APIGatewayProxyStructuredResultV2> {
  const plain = {
    'content-type': 'application/vnd.apple.mpegurl',
    'cache-control': 'no-store',
    vary: 'accept-encoding',
  }
  if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) {
    if (playlist.length > MAX_PLAIN_BYTES)
      throw new ApiProblem('gzip-required', 'The playlist is too long to be sent uncompressed. Accept gzip.')
    return { statusCode: 200, headers: plain, body: playlist }
  }
  return {
    statusCode: 200,
    headers: { ...plain, 'content-encoding': 'gzip' },
    body: (await zip(playlist)).toString('base64'),
    isBase64Encoded: true,
  }
}
