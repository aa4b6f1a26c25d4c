/** Names a request to an AWS service: `s3 PutObject shows/a/state.json`, `secretsmanager GetSecretValue`. */
export function nameAwsRequest(request: Request): string {
  const target = request.headers.get('x-amz-target')
  if (target !== null) return target.replace('.', ' ')
  const { pathname, searchParams: query } = new URL(request.url)
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/')) || query.get('prefix') || ''
  return `s3 ${nameS3Operation(request.method, query)} ${key}`.trimEnd()
}

/** The SDK says most of them in its address. */
function nameS3Operation(method: string, query: URLSearchParams): string {
  const said = query.get('x-id')
  if (said !== null) return said
  if (query.has('list-type')) return 'ListObjectsV2'
  if (query.has('uploads')) return 'CreateMultipartUpload'
  if (query.has('uploadId')) return method === 'POST' ? 'CompleteMultipartUpload' : 'AbortMultipartUpload'
  return method === 'HEAD' ? 'HeadObject' : method
}
