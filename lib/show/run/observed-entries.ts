import type { Archive, Broadcast, Composer } from '../../platform/client/answers.ts'
import type { BroadcastState } from '../state/resources.ts'

/** The members of an archive, a broadcast and a composer that an observation needs. */
export type SeenArchive = Pick<Archive, 'id' | 'createdAt' | 'status' | 'reason'> &
  Partial<Pick<Archive, 'name' | 'multiArchiveTag'>>
export type SeenBroadcast = Pick<Broadcast, 'id' | 'createdAt' | 'status'> &
  Partial<Pick<Broadcast, 'maxDuration' | 'multiBroadcastTag'>> & {
    readonly broadcastUrls?: SeenUrls | null | undefined
  }
export type SeenComposer = Pick<Composer, 'id' | 'createdAt' | 'status'> &
  Partial<Pick<Composer, 'reason' | 'streamId'>>

type Urls = NonNullable<Broadcast['broadcastUrls']>
type SeenUrls = Pick<Urls, 'hls' | 'hlsStatus'> & { readonly rtmp?: object | undefined }

/** Returns what a state records of an archive that was started or observed. */
export const observedArchive = ({ id: archiveId, createdAt, status, reason }: SeenArchive) => ({
  archiveId,
  createdAt: new Date(createdAt).toISOString(),
  status,
  ...(reason && { reason }),
})

export function observedBroadcast(broadcast: SeenBroadcast) {
  const { id: broadcastId, createdAt, status, broadcastUrls } = broadcast
  const { hls, hlsStatus } = broadcastUrls ?? {} // null after the end: the last known values stay
  const rtmp = outputStatesOf(broadcast)
  return {
    broadcastId,
    createdAt: new Date(createdAt).toISOString(),
    status,
    ...(hls && { hls }),
    ...(hlsStatus && { hlsStatus }),
    ...(rtmp.length > 0 && { rtmp }),
  }
}

export const observedComposer = ({ id: composerId, createdAt, status, reason, streamId }: SeenComposer) => ({
  composerId,
  createdAt: new Date(createdAt).toISOString(),
  status,
  ...(reason && { reason }),
  ...(streamId && { streamId }),
})

type Output = NonNullable<BroadcastState['rtmp']>[number]

/** Returns the RTMP outputs of a broadcast by their ids, without server and stream key. */
export function outputStatesOf({ broadcastUrls }: Pick<SeenBroadcast, 'broadcastUrls'>): Output[] {
  const rtmp: object = broadcastUrls?.rtmp ?? {} // a list or a record by id, depending on the deployment
  const outputs: [string, Partial<Output>][] = Object.entries(rtmp)
  return outputs.map(([key, { id = key, status = 'connecting' }]) => ({ id, status }))
}
