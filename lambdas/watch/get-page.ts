import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { clipPath, embedPath, posterPath, watchPath } from '../../lib/api/watch-routes.ts'
import { createFileLinks } from '../../lib/publish/file-links.ts'
import type { ClipRecord } from '../../lib/publish/manifest/clip.ts'
import type { Services } from '../../lib/services.ts'
import { watchOriginOf } from '../http/watch-origin.ts'
import { downloadsOf } from './downloads.ts'
import { pageAnswer } from './page-answer.ts'
import { refusalPage } from './refusal-page.ts'
import type { PageContent } from './render-page.ts'
import { downloadName, titlesOf } from './titles.ts'
import { admitVisitor, type Visit, type Visiting } from './visit.ts'

type Serving = Visiting & Pick<Services, 'variable'>

/** `GET /watch/{archiveId}`: returns the page with its title. Its script then requests the recording with the same credentials. */
export const getPage = (event: APIGatewayProxyEventV2, services: Serving) => servePage(event, services, false)

/** `GET /watch/{archiveId}/embed`: returns the page with nothing but the player, for frames. */
export const getEmbed = (event: APIGatewayProxyEventV2, services: Serving) => servePage(event, services, true)

async function servePage(event: APIGatewayProxyEventV2, services: Serving, isEmbed: boolean) {
  const ancestors = services.variable('FRAME_ANCESTORS')
  try {
    const visit = await admitVisitor(event, services)
    const cover = visit.manifest.page?.cover
    const content = await (visit.clip
      ? clipContentOf(event, visit, visit.clip, services, isEmbed)
      : contentOf(event, visit, services, isEmbed))
    const isLive = visit.clip?.live !== undefined && !visit.clip.file
    return await pageAnswer(content, { pictures: cover === undefined ? [] : [cover], isLive }, services)
  } catch (error) {
    return refusalPage(error, ancestors)
  }
}

async function contentOf(
  event: APIGatewayProxyEventV2,
  { manifest, credentials }: Visit,
  services: Serving,
  isEmbed: boolean,
): Promise<PageContent> {
  const { archiveId, page, files } = manifest
  const origin = watchOriginOf(event, services)
  const poster = files.some(({ role }) => role === 'poster') ? origin + posterPath(archiveId, credentials) : undefined
  const image = page?.cover ?? poster
  const { file, downloads } = await downloadsOf(manifest, createFileLinks(manifest, services.storage))
  return {
    titles: titlesOf(manifest),
    description: page?.description,
    preview: credentials ? undefined : { address: origin + watchPath(archiveId), image },
    plain: {
      video: file,
      poster: image,
      links: [
        { text: 'Download', url: downloads.video },
        { text: 'Download audio', url: downloads.audio },
      ],
    },
    isEmbed,
    embed: origin + embedPath(archiveId, credentials),
  }
}

async function clipContentOf(
  event: APIGatewayProxyEventV2,
  { manifest, credentials }: Visit,
  { clipId, name, file }: ClipRecord,
  services: Serving,
  isEmbed: boolean,
): Promise<PageContent> {
  const { archiveId, page } = manifest
  const origin = watchOriginOf(event, services)
  const titled = { ...manifest, page: { ...page, title: name } }
  const link = createFileLinks(manifest, services.storage)
  const saved = file ? await link(file.key, downloadName(titled, file.key)) : null
  return {
    titles: [name, ...(page ? [page.title] : [])],
    description: page?.description,
    preview: credentials ? undefined : { address: origin + clipPath(archiveId, clipId), image: page?.cover },
    plain: {
      video: file ? await link(file.key) : null,
      poster: page?.cover,
      links: [{ text: 'Download', url: saved }],
    },
    isEmbed,
    embed: origin + clipPath(archiveId, clipId, credentials, { isEmbed: true }),
  }
}
