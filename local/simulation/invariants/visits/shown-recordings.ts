import type { Manifest } from '../../../../lib/publish/manifest/manifest.ts'
import type { Visit } from '../../visits/visitor.ts'
import type { Evidence } from '../evidence.ts'
import { answersTo, areSame, documentIn } from './recorded-documents.ts'

type Seen = Pick<Evidence, 'visits' | 'objects' | 'versions'>

interface Link {
  readonly key: string
  readonly url: string
}

type Shown = Manifest & {
  readonly source: Link
  readonly files: readonly Link[]
  readonly watch: { readonly url: string }
}

/** Fields that are shown as the manifest has them. */
const RECORDED = [
  ...['archiveId', 'createdAt', 'show', 'page', 'parts', 'pauses', 'status', 'access', 'epoch', 'keepDays', 'message'],
  ...['missing', 'duration', 'video', 'audio', 'loudness', 'tracks', 'publications'],
] as const

const manifestOf = (objects: Seen['objects'], archiveId: string) =>
  documentIn<Manifest>(objects, `recordings/${archiveId}/manifest.json`)

/**
 * Checks what the API and the watch page show of a recording at rest, by its manifest. Links lead to the files that it names, and
 * playlists to all files of theirs.
 */
export function shownRecordings(evidence: Seen): string[] {
  return [
    ...manifests(evidence),
    ...publicOnes(evidence),
    ...pages(evidence),
    ...files(evidence),
    ...playlists(evidence),
    ...revokedOnes(evidence),
  ]
}

function manifests({ visits, objects }: Seen): string[] {
  return answersTo<Shown>(visits, /^\/recordings\/([^/?]+)$/).flatMap(({ captured: [archiveId = ''], body }) => {
    const manifest = manifestOf(objects, archiveId)
    if (!manifest) return [`the recording ${archiveId} is shown, and has no manifest`]
    const wrong = RECORDED.filter(
      (field) => !areSame((body as never as Fields)[field], (manifest as never as Fields)[field]),
    )
    const shownKeys = body.files.map(({ key }) => key).join()
    return [
      ...wrong.map((field) => `the recording ${archiveId} is shown with another ${field} than it has`),
      ...(shownKeys === manifest.files.map(({ key }) => key).join()
        ? []
        : [`the recording ${archiveId} is shown with other files than it has`]),
      ...[body.source, ...body.files].flatMap(({ key, url }) => wrongLink(archiveId, key, url)),
      ...wrongVersion(archiveId, manifest, body.source.url),
    ]
  })
}

type Fields = Readonly<Record<string, unknown>>

/** A link to the source has the version that is published: another file may be withheld. */
function wrongVersion(archiveId: string, { source: { versionId } }: Manifest, url: string): string[] {
  const linked = new URL(url).searchParams.get('versionId') ?? undefined
  return linked === versionId ? [] : [`the source of ${archiveId} is shown with a link to another version of it`]
}

/** A link to a file has its key, and one to a playlist the route that serves it. */
function wrongLink(archiveId: string, key: string, url: string): string[] {
  const { pathname, searchParams } = new URL(url)
  const isRight =
    searchParams.get('file') === null
      ? decodeURIComponent(pathname).endsWith(`/${key}`)
      : `recordings/${archiveId}/${searchParams.get('file')}` === key
  return isRight ? [] : [`the file ${key} is shown with a link to ${pathname}`]
}

function publicOnes({ visits, objects }: Seen): string[] {
  return answersTo<Fields>(visits, /^\/public\/recordings\/([^/?]+)$/).flatMap(
    ({ captured: [archiveId = ''], body }) => [
      ...(manifestOf(objects, archiveId)?.access === 'public'
        ? []
        : [`the recording ${archiveId} is not public, and shown`]),
      ...['show', 'page', 'publications']
        .filter((field) => field in body)
        .map((field) => `the public recording ${archiveId} is shown with its ${field}`),
    ],
  )
}

/** The page of a show does not open recordings whose links were revoked. */
function revokedOnes({ visits, objects }: Seen): string[] {
  return answersTo<{ readonly recordings?: readonly { readonly path?: string }[] }>(
    visits,
    /^\/watch\/show\/([^/?]+)\/state/,
  ).flatMap(({ captured: [showId = ''], body: { recordings = [] } }) =>
    recordings.flatMap(({ path = '' }) => {
      const [, archiveId = ''] = /^\/watch\/([^/?]+)/.exec(path) ?? []
      return manifestOf(objects, archiveId)?.epoch === undefined
        ? []
        : [`the page of the show ${showId.slice(0, 12)} opens the recording ${archiveId}, whose links were revoked`]
    }),
  )
}

interface Watched extends Fields {
  readonly page: { readonly title: string } | null
  readonly thumbnails: { readonly sprites: Readonly<Record<string, string>> } | null
  readonly captions: readonly { readonly language: string }[]
  readonly downloads: { readonly video: string | null; readonly audio: string | null }
}

/** The page of a recording has a link for each role of its files, and its title. */
function pages({ visits, objects }: Seen): string[] {
  return answersTo<Watched>(visits, /^\/watch\/([^/?]+)\/recording/).flatMap(({ captured: [archiveId = ''], body }) => {
    const manifest = manifestOf(objects, archiveId)
    if (!manifest) return [`the page of ${archiveId} shows a recording that has no manifest`]
    const keysOf = (role: string) => manifest.files.filter((file) => file.role === role).map(({ key }) => key)
    const named = { playlist: 'hls', poster: 'poster', chapters: 'chapters', thumbnails: 'thumbnails' }
    const nameOf = (key: string) => key.split('/').at(-1) ?? ''
    const wrong = [
      ...Object.entries(named).flatMap(([field, role]) =>
        (body[field] === null) === (keysOf(role).length === 0) ? [] : [field],
      ),
      ...(areSame(Object.keys(body.thumbnails?.sprites ?? {}).toSorted(), keysOf('sprite').map(nameOf).toSorted())
        ? []
        : ['sprites']),
      ...(areSame(
        body.captions.map(({ language }) => `${language}.vtt`),
        keysOf('captions').map(nameOf),
      )
        ? []
        : ['captions']),
      ...(body.page?.title === manifest.page?.title ? [] : ['title']),
      ...(body.duration === manifest.duration ? [] : ['duration']),
      ...(body.status === manifest.status ? [] : ['status']),
      ...(body.name === (manifest.show?.name ?? null) ? [] : ['name']),
      ...((body.downloads.audio === null) === (keysOf('audio').length === 0) ? [] : ['download of audio']),
    ]
    return wrong.map((field) => `the page of the recording ${archiveId} has a wrong ${field}`)
  })
}

/** A file that was fetched by its link has the size of its version, which another may have replaced. */
function files({ visits, objects, versions }: Seen): string[] {
  return visits.flatMap(({ address, status, headers, isAtRest }) => {
    if (!isAtRest || status !== 200 || !address.startsWith('http')) return []
    const { pathname, searchParams } = new URL(address)
    const path = decodeURIComponent(pathname)
    const version = versions.find((one) => one.versionId === searchParams.get('versionId'))
    const [, key = ''] = /^\/[^/]+\/(.+)$/.exec(path) ?? []
    const size = (version ?? objects.get(key))?.size
    return size === undefined || Number(headers['content-length'] ?? size) === size
      ? []
      : [`the link to ${key} leads to ${headers['content-length']} bytes instead of ${size}`]
  })
}

const URI = /^[^#\s].*$/gm

/** A playlist that was fetched names as many files as the stored one. */
function playlists({ visits, objects }: Seen): string[] {
  const isPlaylist = ({ isAtRest, status, address }: Visit) =>
    isAtRest && status === 200 && /^\/watch\/[^/]+\/playlist\?/.test(address)
  return visits.filter(isPlaylist).flatMap(({ address, answer }) => {
    const [, archiveId] = /^\/watch\/([^/]+)/.exec(address) ?? []
    const file = new URLSearchParams(address.split('?')[1]).get('file')
    const stored = objects.get(`recordings/${archiveId}/${file}`)?.text ?? ''
    const count = (text: string) => text.match(URI)?.length ?? 0
    return count(stored) === count(answer) && count(answer) > 0
      ? []
      : [`the playlist ${file} of ${archiveId} is served with ${count(answer)} of ${count(stored)} files`]
  })
}
