import type { Readable } from 'node:stream'
import {
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { UploadTarget } from '../../../lib/platform/contract/upload-targets.ts'
import { BlobRefused } from './azure-blobs.ts'

export type S3Target = Extract<UploadTarget, { type: 's3' }>
export type HttpHandler = NonNullable<S3ClientConfig['requestHandler']>

/**
 * Puts a file into a target's bucket. The SDK does not retry, because its waits do not use the sandbox's clock: the caller
 * retries. Parts are uploaded one after the other, so that a simulation sees them in one order.
 */
export async function uploadFile(file: {
  target: S3Target
  key: string
  /** Its content type. */
  type: string
  body: Readable
  handler?: HttpHandler | undefined
  /** The time to sign by, in ms. */
  now: number
  signal: AbortSignal
}): Promise<void> {
  const { target, key, type, body, handler, now, signal } = file
  const client = new S3Client({
    ...settingsOf(target),
    requestHandler: handler ?? TIMEOUTS,
    maxAttempts: 1,
    systemClockOffset: now - Date.now(), // the SDK signs by the machine's clock, and the target compares with its own
  })
  const abort = new AbortController()
  const onAbort = () => abort.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const upload = new Upload({
      client,
      params: {
        Bucket: target.config.bucket,
        Key: key,
        Body: body,
        ContentType: type,
        ...(target.config.sse === 's3' && { ServerSideEncryption: 'AES256' as const }),
      },
      queueSize: 1,
      abortController: abort,
    })
    await upload.done()
  } finally {
    signal.removeEventListener('abort', onAbort)
    body.destroy()
    client.destroy()
  }
}

/** Opens a target's bucket for small objects, over connections that stay open. The SDK does not retry, as in `uploadFile`. */
export function openBucket(target: S3Target, handler: HttpHandler | undefined) {
  const client = new S3Client({ ...settingsOf(target), requestHandler: handler ?? TIMEOUTS, maxAttempts: 1 })
  return {
    /** @param now the time to sign by, in ms */
    async put(object: Omit<PutObjectCommandInput, 'Bucket'>, now: number): Promise<void> {
      client.config.systemClockOffset = now - Date.now()
      const sse = target.config.sse === 's3' && { ServerSideEncryption: 'AES256' as const }
      await client.send(new PutObjectCommand({ Bucket: target.config.bucket, ...object, ...sse }))
    },
    close: () => client.destroy(),
  }
}

/** Returns true if another attempt can help: the target gave no answer, or answered 408, 429 or 5xx. */
export function isWorthRetrying(error: unknown): boolean {
  const status = statusOf(error)
  return status >= 500 || status === 408 || status === 429
}

/** Returns the status that the target answered, or 500 if it did not. */
function statusOf(error: unknown): number {
  if (error instanceof BlobRefused) return error.status
  return (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined) ?? 500
}

const TIMEOUTS = { connectionTimeout: 5_000, requestTimeout: 60_000 } // ms

function settingsOf({ config }: S3Target): S3ClientConfig {
  const credentials = { accessKeyId: config.accessKey, secretAccessKey: config.secretKey }
  if (!config.endpoint) return { credentials, region: 'us-east-1', followRegionRedirects: true }
  return {
    credentials,
    region: 'us-east-1',
    endpoint: config.endpoint,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED', // many S3-compatible providers refuse what is newer than S3 itself
  }
}
