import { Readable } from 'node:stream'
import type { HttpHandler } from '../../../../local/sandbox/archives/upload.ts'

interface SdkRequest {
  readonly method: string
  readonly path: string
  readonly hostname: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
}

/** Creates a handler for the AWS SDK that stores single-part uploads in memory, after the given failures. */
export function createMemoryBucket(failures: (number | 'silence')[] = []) {
  const objects = new Map<string, Buffer>()
  const requests: SdkRequest[] = []
  const asked = Promise.withResolvers<void>()
  const handler = {
    async handle(request: SdkRequest) {
      requests.push(request)
      asked.resolve()
      const failure = failures.shift()
      if (failure === 'silence') return new Promise(() => {})
      if (!failure) objects.set(request.path, Buffer.from(request.body ?? ''))
      return {
        response: {
          statusCode: failure ?? 200,
          headers: { etag: '"1"', 'content-type': 'application/xml' },
          body: Readable.from(failure ? ['<Error><Code>Failure</Code><Message>As ordered.</Message></Error>'] : []),
        },
      }
    },
  }
  return { objects, requests, asked: asked.promise, handler: handler as unknown as HttpHandler }
}

export const uploadTarget = (fallback?: 'opentok' | 'none', bucket = 'recordings') => ({
  type: 's3',
  config: { accessKey: 'key', secretKey: 'secret of the bucket', bucket, endpoint: 'http://127.0.0.1:1/' },
  ...(fallback && { fallback }),
})
