import type { Archive, Broadcast, Composer } from '../../platform/client/answers.ts'
import type { BroadcastState } from '../state/resources.ts'

/** Returns what a state records of an archive that was started or observed. */
export const observedArchive = ({ id: archiveId, createdAt, status, reason }: Archive) => ({
  archiveId,
  createdAt: new Date(createdAt).toISOString(),
  status,
  ...(reason && { reason }),
})

export function observedBroadcast(broadcast: Broadcast) {
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

export const observedComposer = ({ id: composerId, createdAt, status, reason, streamId }: Composer) => ({
  composerId,
  createdAt: new Date(createdAt).toISOString(),
  status,
  ...(reason && { reason }),
  ...(streamId && { streamId }),
})

type Output = NonNullable<BroadcastState['rtmp']>[number]

/** Returns the RTMP outputs of a broadcast by their ids, without server and stream key. */
export function outputStatesOf({ broadcastUrls }: Pick<Broadcast, 'broadcastUrls'>): Output[] {
  const rtmp: object = broadcastUrls?.rtmp ?? {} // a list or a record by id, depending on the deployment
  const outputs: [string, Partial<Output>][] = Object.entries(rtmp)
  return outputs.map(([key, { id = key, status = 'connecting' }]) => ({ id, status }))
}
