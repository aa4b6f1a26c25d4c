import { Readable } from 'node:stream'
import { ServiceError } from '../tasks/errors.ts'

/**
 * Downloads a file. The URL is a credential, so no message shows it.
 * @throws {@link ServiceError} when the file cannot be fetched
 */
export type Download = (url: string) => Promise<Readable>

/** Creates the downloader of files. */
export function createDownload(fetch: typeof globalThis.fetch): Download {
  return async (url) => {
    const response = await fetch(url).catch((error: unknown) => {
      throw new ServiceError(`The platform’s file cannot be fetched (${(error as Error).name}).`)
    })
    if (!response.ok || !response.body)
      throw new ServiceError(`The platform’s file cannot be fetched (status ${response.status}).`)
    return Readable.fromWeb(response.body as never)
  }
}
