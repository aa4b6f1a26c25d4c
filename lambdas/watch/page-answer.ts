import { readFile } from 'node:fs/promises'
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { Services } from '../../lib/services.ts'
import { protection } from '../http/problem.ts'
import { contentPolicy } from './content-policy.ts'
import { type PageContent, renderPage } from './render-page.ts'

export interface PageSources {
  /** URLs of pictures outside the bucket. */
  readonly pictures: readonly string[]
  /** True if the page plays a live broadcast, whose server is not known before. */
  readonly isLive?: boolean
}

/** Returns the page with its content and security headers. It names its address for frames only if a page may frame it. */
export async function pageAnswer(
  { embed, ...content }: PageContent,
  { pictures, isLive = false }: PageSources,
  { storage, variable }: Pick<Services, 'storage' | 'variable'>,
): Promise<APIGatewayProxyStructuredResultV2> {
  const ancestors = variable('FRAME_ANCESTORS')
  const files = new URL(await storage.link('any', 1))
  const policy = contentPolicy({
    files: files.origin,
    pictures: pictures.map((url) => new URL(url).origin),
    // A local bucket and a local broadcast have no TLS.
    ...(isLive && { live: files.protocol }),
    ancestors,
  })
  return {
    statusCode: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...protection,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    },
    body: renderPage(await readFile(new URL('watch.html', import.meta.url), 'utf8'), {
      ...content,
      ...(ancestors !== "'none'" && { embed }),
    }),
  }
}
