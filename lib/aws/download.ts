import { Readable } from 'node:stream'
import { ServiceError } from '../tasks/errors.ts'

/** Fetches a file by its URL; rejects with ServiceError when it cannot be had. The URL lets anybody in: no message shows it. */
export type Download = (url: string) => Promise<Readable>

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
