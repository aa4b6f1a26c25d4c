import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { createFileLinks } from '../../lib/publish/file-links.ts'
import { ApiProblem, protection } from '../http/problem.ts'
import { admitVisitor, type Visiting } from './visit.ts'

/** `GET /watch/{archiveId}/poster`: redirects to the poster. Previews of links keep this address for longer than a signed one. */
export async function getPoster(event: APIGatewayProxyEventV2, services: Visiting) {
  const { manifest } = await admitVisitor(event, services)
  const poster = manifest.files.find(({ role }) => role === 'poster')
  if (!poster) throw new ApiProblem('unknown-file', 'The recording has no poster.')
  const location = await createFileLinks(manifest, services.storage)(poster.key)
  return { statusCode: 302, headers: { location, ...protection, 'cache-control': 'no-store' } }
}
