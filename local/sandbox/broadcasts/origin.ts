import { type HttpHandler, isWorthRetrying, openBucket, type S3Target } from '../archives/upload.ts'
import { Refusal } from '../http/refusal.ts'
import type { Broadcaster } from '../media/media.ts'
import type { SandboxParts } from '../parts.ts'
import type { BroadcastRecord } from '../state/records.ts'
import { type MirroredObject, startMirror } from './mirror.ts'

/** Folder of mirrored broadcasts below the key of their project. */
export const LIVE_FOLDER = 'live'
/** Waits before the second and every further attempt, in ms. */
const RETRY_WAITS = [500, 1_000, 2_000, 4_000, 8_000]

interface OriginOptions extends Pick<SandboxParts, 'store' | 'clock' | 'background'> {
  /** `bucket`, or the URL of a CDN in front of the bucket. @default none: the sandbox serves broadcasts itself */
  readonly origin?: string | undefined
  readonly uploadHandler?: HttpHandler | undefined
}

/** Creates the mirror of HLS broadcasts in the bucket of the upload target. */
export function createOrigin({ store, clock, background, origin, uploadHandler }: OriginOptions) {
  /** Writes of mirrors that are under way. */
  const writing = new Set<Promise<void>>()
  let opened: { readonly settings: string; readonly bucket: ReturnType<typeof openBucket> } | undefined

  const targetOf = (projectId: string): S3Target | undefined => {
    const target = store.projects.get(projectId)?.uploadTarget
    return target?.type === 's3' ? target : undefined
  }

  /** Returns the bucket of a target. Its keys may be rotated while a broadcast runs. */
  const bucketOf = (target: S3Target) => {
    const settings = JSON.stringify(target.config)
    if (opened?.settings !== settings) {
      opened?.bucket.close()
      opened = { settings, bucket: openBucket(target, uploadHandler) }
    }
    return opened.bucket
  }

  async function put({ projectId, id }: Owner, object: MirroredObject): Promise<void> {
    const { name, body, type, cacheControl, encoding } = object
    const headers = { ContentType: type, CacheControl: cacheControl, ...(encoding && { ContentEncoding: encoding }) }
    for (let attempts = 0; ; attempts++) {
      const target = targetOf(projectId)
      if (!target) throw new Error('the upload target was removed')
      try {
        const key = `${projectId}/${LIVE_FOLDER}/${id}/${name}`
        return await bucketOf(target).put({ Key: key, Body: body, ...headers }, clock.now())
      } catch (error) {
        const wait = RETRY_WAITS[attempts]
        if (wait === undefined || !isWorthRetrying(error)) throw error
        await background.sleep(wait)
      }
    }
  }

  function track(work: Promise<void>): Promise<void> {
    writing.add(work)
    return work.finally(() => writing.delete(work))
  }

  return {
    /**
     * Returns the URL of a new broadcast's folder; undefined if broadcasts are not mirrored.
     * @throws {@link Refusal} 400 for a broadcast that cannot be mirrored
     */
    admit({ projectId, id, hls }: Owner & Pick<BroadcastRecord, 'hls'>): string | undefined {
      if (origin === undefined || !hls) return undefined
      const target = targetOf(projectId)
      if (!target)
        throw new Refusal(400, 'Broadcasts are mirrored (--origin): set an upload target of the type s3 first.')
      if (hls.lowLatency)
        throw new Refusal(
          400,
          'A bucket cannot hold requests back, as lowLatency needs it: leave out lowLatency, or --origin.',
        )
      const base = origin === 'bucket' ? addressOf(target) : origin
      return `${base.replace(/\/+$/, '')}/${projectId}/${LIVE_FOLDER}/${id}`
    },
    /** Mirrors a broadcast that was admitted. @param fail called when its bucket cannot be written to */
    follow(broadcast: BroadcastRecord, broadcaster: Broadcaster, fail: () => void): void {
      const { id, hls } = broadcast
      const { directory } = broadcaster
      if (hls?.origin === undefined || directory === undefined) return
      startMirror({
        ...{ broadcaster, directory, dvr: hls.dvr },
        run: (work) => background.run(() => track(work())),
        put: (object) => put(broadcast, object),
        onFailure(error) {
          if (background.signal.aborted) return
          const reason = error instanceof Error ? `${error.name}: ${error.message}` : error
          console.error(`The broadcast ${id} has failed, since its bucket cannot be written to (${reason}).`)
          fail()
        },
      })
    },
    /** Resolves once the mirrors have written what there is. */
    async settled(): Promise<void> {
      while (writing.size > 0) await Promise.all(writing)
    },
    close: () => opened?.bucket.close(),
  }
}

type Owner = Pick<BroadcastRecord, 'id' | 'projectId'>

const addressOf = ({ config: { endpoint, bucket } }: S3Target) =>
  endpoint === undefined ? `https://${bucket}.s3.amazonaws.com` : `${endpoint.replace(/\/+$/, '')}/${bucket}`
