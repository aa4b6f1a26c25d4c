import { findOperation } from '../../../lib/platform/contract/operations/find-operation.ts'
import type { OperationName } from '../../../lib/platform/contract/operations/operations.ts'

/** Names a request to an AWS service: `s3 PutObject shows/a/state.json`, `secretsmanager GetSecretValue`. */
export function nameAwsRequest(request: Request): string {
  const target = request.headers.get('x-amz-target')
  if (target !== null) return target.replace('.', ' ')
  const { pathname, searchParams: query } = new URL(request.url)
  if (signedService(request) === 'scheduler')
    return `scheduler ${SCHEDULER_METHODS[request.method]} ${pathname.split('/').slice(2).map(decodeURIComponent).join('/')}`
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/')) || query.get('prefix') || ''
  return `s3 ${nameS3Operation(request.method, query)} ${key}`.trimEnd()
}

/** Reads the operation from `x-id`, which the SDK sends with most requests. */
function nameS3Operation(method: string, query: URLSearchParams): string {
  const named = query.get('x-id')
  if (named !== null) return named
  if (query.has('list-type')) return 'ListObjectsV2'
  if (query.has('uploads')) return 'CreateMultipartUpload'
  if (query.has('delete')) return 'DeleteObjects'
  if (query.has('uploadId')) return method === 'POST' ? 'CompleteMultipartUpload' : 'AbortMultipartUpload'
  return method === 'HEAD' ? 'HeadObject' : method
}

/** Returns the service of a request’s signature: EventBridge Scheduler is named nowhere else. */
const signedService = (request: Request) =>
  /Credential=[^/,]+\/\d+\/[^/,]+\/([^/,]+)\//.exec(request.headers.get('authorization') ?? '')?.[1]
const SCHEDULER_METHODS: Readonly<Record<string, string>> = {
  GET: 'GetSchedule',
  POST: 'CreateSchedule',
  PUT: 'UpdateSchedule',
  DELETE: 'DeleteSchedule',
}

/** Returns the platform’s operation of a request; undefined for its files and its control interface. */
export const namePlatformRequest = ({ method, url }: Pick<Request, 'method' | 'url'>): OperationName | undefined =>
  findOperation(method, url)?.name

/** Removes from a request’s name what differs between shows: `s3 PutObject shows/…/state.json`. */
export function withoutIds(name: string): string {
  const known = general.get(name)
  if (known !== undefined) return known
  if (general.size >= MAX_NAMES) general.clear()
  const found = removeIds(name)
  general.set(name, found)
  return found
}

/** Names without ids, by the names of requests: most are repeated. */
const general = new Map<string, string>()
const MAX_NAMES = 20_000

const removeIds = (name: string): string =>
  name
    .replace(/\b(shows|recordings)\/[0-9a-z-]+/, '$1/*')
    .replace(/\/(recordings|broadcasts)\/[0-9A-Za-z-]+\/(pause|resume|stop)$/, '/$1/*/$2')
    .replace(/\bindex\/(\w+)\/\S*/, 'index/$1/*')
    .replace(/\busage\/[\d-]+/, 'usage/*')
    .replace(/ \d{4,}\/[0-9a-zA-Z-]+\//, ' */*/')
    .replace(/\b[0-9a-f]{8,}(-[0-9a-f]+)*\b/g, '*')
