import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { UploadTarget } from '../../../lib/platform/contract/upload-targets.ts'

export type AzureTarget = Extract<UploadTarget, { type: 'azure' }>
export type AzureFetch = (request: Request) => Promise<Response>

/** Thrown when the container refuses a file. */
export class BlobRefused extends Error {
  override readonly name = 'BlobRefused'
  readonly status: number

  constructor(status: number) {
    super(`The container answered ${status}.`)
    this.status = status
  }
}

const VERSION = '2021-08-06' // from 2019-12-12 on one request takes up to 5,000 MiB
const DOMAIN = 'blob.core.windows.net'
/** Time for a whole file, in ms. `fetch` gives up much earlier when there is no answer at all. */
const TIMEOUT = 900_000

/**
 * Puts a file into a target's container in one request (Azure's Put Blob), signed by the account's key.
 * @throws {@link BlobRefused}, or the error of `fetch` when there is no answer
 */
export async function putBlob(file: {
  target: AzureTarget
  key: string
  /** Its content type. */
  type: string
  body: Readable
  /** Bytes. */
  size: number
  fetch: AzureFetch
  /** The time to sign by, in ms. */
  now: number
  signal: AbortSignal
}): Promise<void> {
  const { target, key, type, body, size, fetch, now, signal } = file
  const { accountName, accountKey, container, domain = DOMAIN } = target.config
  try {
    const url = new URL(`/${encodeURIComponent(container)}/${key}`, `https://${accountName}.${domain}`)
    const own = { 'x-ms-blob-type': 'BlockBlob', 'x-ms-date': new Date(now).toUTCString(), 'x-ms-version': VERSION }
    const signature = sign(accountKey, ['PUT', '', '', size, '', type, '', '', '', '', '', ''], own, [accountName, url])
    const response = await fetch(
      new Request(url, {
        method: 'PUT',
        headers: {
          ...own,
          'content-type': type,
          'content-length': String(size),
          authorization: `SharedKey ${accountName}:${signature}`,
        },
        body: Readable.toWeb(body) as ReadableStream,
        duplex: 'half',
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      }),
    )
    await response.body?.cancel()
    if (response.status !== 201) throw new BlobRefused(response.status)
  } finally {
    body.destroy()
  }
}

/** Signs as Azure's Shared Key does: the method and eleven standard headers' values, then its own headers, then the resource. */
function sign(
  accountKey: string,
  standard: readonly (string | number)[],
  own: Readonly<Record<string, string>>,
  [accountName, { pathname }]: readonly [string, URL],
): string {
  const headers = Object.entries(own).map(([name, value]) => `${name}:${value}`)
  const text = [...standard, ...headers.sort(), `/${accountName}${pathname}`].join('\n')
  return createHmac('sha256', Buffer.from(accountKey, 'base64')).update(text).digest('base64')
}
