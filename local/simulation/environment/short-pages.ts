type Fetch = (request: Request) => Promise<Response>

/**
 * Wraps S3 so that listings of the indexes have short pages, which S3 is free to return. Readers page by the last key of
 * a page, so no continuation token is needed.
 * @param size entries on a page. @default as many as there are
 */
export function withShortPages(aws: Fetch, size: number | undefined): Fetch {
  if (size === undefined) return aws
  return async (request) => {
    const answer = await aws(request)
    const query = new URL(request.url).searchParams
    if (!answer.ok || !query.has('list-type') || !query.get('prefix')?.startsWith('index/')) return answer
    const headers = new Headers(answer.headers)
    headers.delete('content-length')
    return new Response(shorten(await answer.text(), size), { status: answer.status, headers })
  }
}

function shorten(xml: string, size: number): string {
  const entries = xml.match(/<Contents>.*?<\/Contents>/gs) ?? []
  if (entries.length <= size) return xml
  const left = entries.slice(size).reduce((text, entry) => text.replace(entry, ''), xml)
  return left
    .replace(/<KeyCount>\d+</, `<KeyCount>${size}<`)
    .replace('<IsTruncated>false<', '<IsTruncated>true<')
    .replace(/<NextContinuationToken>.*?<\/NextContinuationToken>/s, '')
}
