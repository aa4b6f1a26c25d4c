import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { clipPlaylistPath, playlistPath } from '../../lib/api/watch-routes.ts'
import { createFileLinks } from '../../lib/publish/file-links.ts'
import type { ClipRecord } from '../../lib/publish/manifest/clip.ts'
import type { Manifest } from '../../lib/publish/manifest/manifest.ts'
import type { WatchedRecording } from '../../lib/publish/manifest/watched-recording.ts'
import type { Services } from '../../lib/services.ts'
import { ok } from '../http/request.ts'
import { downloadsOf } from './downloads.ts'
import { downloadName } from './titles.ts'
import { admitVisitor, type Visit, type Visiting } from './visit.ts'

/** `GET /watch/{archiveId}/recording`: returns what the page shows, with links that expire. */
export async function getRecording(event: APIGatewayProxyEventV2, services: Visiting) {
  const visit = await admitVisitor(event, services)
  return ok(await (visit.clip ? describeClip(visit, visit.clip, services) : describe(visit, services)))
}

async function describe(
  { manifest, credentials }: Visit,
  { storage }: Pick<Services, 'storage'>,
): Promise<WatchedRecording> {
  const { archiveId, createdAt, status, message, duration, video, show, page, files } = manifest
  const link = createFileLinks(manifest, storage)
  const filesOf = (role: Role) => files.filter((file) => file.role === role)
  const linkTo = async (role: Role) => {
    const [file] = filesOf(role)
    return file ? link(file.key) : null
  }
  const cues = await linkTo('thumbnails')
  const sprites = await Promise.all(filesOf('sprite').map(async ({ key }) => [nameOf(key), await link(key)] as const))
  const captions = filesOf('captions').map(async ({ key }) => ({ language: languageOf(key), url: await link(key) }))
  return {
    archiveId,
    name: show?.name ?? null,
    page: page ? presentationOf(page) : null,
    createdAt,
    status,
    message: message ?? null,
    duration,
    picture: video && { width: video.width, height: video.height },
    playlist: playlistOf(manifest, credentials),
    ...(await downloadsOf(manifest, link)),
    poster: await linkTo('poster'),
    thumbnails: cues === null ? null : { cues, sprites: Object.fromEntries(sprites) },
    chapters: await linkTo('chapters'),
    captions: await Promise.all(captions),
  }
}

/** Describes a clip: by its MP4, which is exact, once it is published, and by HLS before. */
async function describeClip(
  { manifest, credentials }: Visit,
  { clipId, name, from, to, status, problem, file }: ClipRecord,
  { storage }: Pick<Services, 'storage'>,
): Promise<WatchedRecording> {
  const { archiveId, createdAt, video, page, files } = manifest
  const link = createFileLinks(manifest, storage)
  const master = files.find(({ role }) => role === 'hls')
  const titled = { ...manifest, page: { ...page, title: name } }
  return {
    archiveId,
    name: page?.title ?? null,
    page: presentationOf(titled.page),
    createdAt: new Date(Date.parse(createdAt) + from * 1000).toISOString(),
    status,
    message: problem ?? null,
    duration: to - from,
    picture: video && { width: video.width, height: video.height },
    playlist: file || !master ? null : clipPlaylistPath(archiveId, clipId, master.key, credentials),
    file: file ? await link(file.key) : null,
    downloads: { video: file ? await link(file.key, downloadName(titled, file.key)) : null, audio: null },
    ...{ poster: null, thumbnails: null, chapters: null, captions: [] },
  }
}

const presentationOf = ({ title, description, cover, accentColor }: NonNullable<Manifest['page']>) => ({
  title,
  description: description ?? null,
  cover: cover ?? null,
  accentColor: accentColor ?? null,
})

type Role = Manifest['files'][number]['role']

function playlistOf({ archiveId, files }: Manifest, credentials: Visit['credentials']): string | null {
  const master = files.find(({ role }) => role === 'hls')
  return master ? playlistPath(archiveId, master.key, credentials) : null
}

const nameOf = (key: string) => key.split('/').at(-1) ?? key

const languageOf = (key: string) => nameOf(key).replace(/\.vtt$/, '')
