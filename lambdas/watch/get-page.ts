import { readFile } from 'node:fs/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { embedPath, posterPath, watchPath } from '../../lib/api/watch-routes.ts'
import { createFileLinks } from '../../lib/publish/file-links.ts'
import type { Services } from '../../lib/services.ts'
import { protection } from '../http/problem.ts'
import { watchOriginOf } from '../http/watch-origin.ts'
import { contentPolicy } from './content-policy.ts'
import { downloadsOf } from './downloads.ts'
import { refusalPage } from './refusal-page.ts'
import { type PageContent, renderPage } from './render-page.ts'
import { titlesOf } from './titles.ts'
import { admit, type Visit, type Visiting } from './visit.ts'

type Serving = Visiting & Pick<Services, 'variable'>

/** `GET /watch/{archiveId}`: returns the page with its title. Its script then requests the recording with the same credentials. */
export const getPage = (event: APIGatewayProxyEventV2, services: Serving) => servePage(event, services, false)

/** `GET /watch/{archiveId}/embed`: returns the page with nothing but the player, for frames. */
export const getEmbed = (event: APIGatewayProxyEventV2, services: Serving) => servePage(event, services, true)

async function servePage(event: APIGatewayProxyEventV2, services: Serving, isEmbed: boolean) {
  const ancestors = services.variable('FRAME_ANCESTORS')
  try {
    const visit = await admit(event, services)
    const cover = visit.manifest.page?.cover
    return await pageOf(await contentOf(event, visit, services, isEmbed), cover === undefined ? [] : [cover], services)
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
    embed: mayBeFramed(services) ? origin + embedPath(archiveId, credentials) : undefined,
  }
}

const mayBeFramed = ({ variable }: Pick<Services, 'variable'>) => variable('FRAME_ANCESTORS') !== "'none'"

/** Returns the page with the content. @param pictures URLs of pictures outside the bucket */
async function pageOf(
  content: PageContent,
  pictures: readonly string[],
  { storage, variable }: Pick<Services, 'storage' | 'variable'>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const sources = {
    files: new URL(await storage.link('any', 1)).origin,
    pictures: pictures.map((url) => new URL(url).origin),
    ancestors: variable('FRAME_ANCESTORS'),
  }
  return {
    statusCode: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...protection,
      'content-security-policy': contentPolicy(sources),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body: renderPage(await readFile(new URL('watch.html', import.meta.url), 'utf8'), content),
  }
}
