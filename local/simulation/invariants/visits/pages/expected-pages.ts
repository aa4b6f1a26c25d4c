import type { ClipRecord } from '../../../../../lib/publish/manifest/clip.ts'
import type { Manifest } from '../../../../../lib/publish/manifest/manifest.ts'
import type { ShowRequest } from '../../../../../lib/show/state/request.ts'
import type { Evidence } from '../../evidence.ts'
import { documentIn, requestIn } from '../recorded-documents.ts'

/** Content of a watch page, by the records of its recording, clip or show. */
export interface ExpectedPage {
  /** The main title first. */
  readonly titles: readonly string[]
  readonly description: string | undefined
  readonly isPublic: boolean
  readonly cover: string | undefined
  /** Path of a poster on the same server, which replaces a missing cover. */
  readonly poster: string | undefined
  /** The only text of a page that needs scripts. */
  readonly note: string | undefined
  /** Links of a browser without scripts, in order. */
  readonly links: readonly string[]
  /** Key of the video that a browser without scripts plays; undefined without a single one. */
  readonly video: string | undefined
  /** True if the page may play a broadcast, whose server is not known. */
  readonly isLive: boolean
}

/** Returns what a page shows. @param path such as `/watch/show/{id}`, without `/embed`; undefined if its subject has no record */
export function expectedPage(path: string, objects: Evidence['objects']): ExpectedPage | undefined {
  const [, showId] = /^\/watch\/show\/([^/]+)$/.exec(path) ?? []
  if (showId !== undefined) return ofShow(requestIn(objects, showId))
  const [, archiveId, clipId] = /^\/watch\/([^/]+)(?:\/clips\/([^/]+))?$/.exec(path) ?? []
  const manifest = documentIn<Manifest>(objects, `recordings/${archiveId}/manifest.json`)
  if (clipId === undefined) return manifest && ofRecording(manifest, path)
  const clip = documentIn<ClipRecord>(objects, `recordings/${archiveId}/clips/${clipId}/clip.json`)
  return clip && ofClip(clip, manifest, objects)
}

function ofShow(request: ShowRequest | undefined): ExpectedPage | undefined {
  if (!request) return undefined
  const { name, page = {}, publish } = request.show
  return {
    titles: [page.title ?? name],
    description: page.description,
    isPublic: publish.access === 'public',
    cover: page.cover,
    poster: undefined,
    note: 'Live shows need JavaScript.',
    links: [],
    video: undefined,
    isLive: true,
  }
}

function ofRecording({ page, show, access, files, parts, source }: Manifest, path: string): ExpectedPage {
  const titles = [page?.title, show?.name].flatMap((title) => title ?? [])
  const keyOf = (role: string) => files.find((file) => file.role === role)?.key
  const recorded = source.key.endsWith('.zip') ? keyOf('composite') : source.key
  const video = parts ? undefined : (keyOf('faststart') ?? recorded)
  return {
    titles: titles.length > 0 ? titles : ['Recording'],
    description: page?.description,
    isPublic: access === 'public',
    cover: page?.cover,
    poster: keyOf('poster') === undefined ? undefined : `${path}/poster`,
    note: undefined,
    links: [...(parts ? [] : ['Download']), ...(keyOf('audio') === undefined ? [] : ['Download audio'])],
    video,
    isLive: false,
  }
}

/** A clip has its own name. A clip of a live show has the presentation of the show, and plays files of the broadcast before its MP4 is there. */
function ofClip(
  { name, file, live }: ClipRecord,
  manifest: Manifest | undefined,
  objects: Evidence['objects'],
): ExpectedPage | undefined {
  const show = live && requestIn(objects, live.showId)?.show
  const page = show ? { ...show.page, title: show.page.title ?? show.name } : manifest?.page
  return {
    titles: [name, ...(page ? [page.title] : [])],
    description: page?.description,
    isPublic: (live ? live.access : manifest?.access) === 'public',
    cover: page?.cover,
    poster: undefined,
    note: undefined,
    links: file ? ['Download'] : [],
    video: file?.key,
    isLive: live !== undefined && !file,
  }
}
