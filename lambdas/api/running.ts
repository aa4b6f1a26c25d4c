interface Part {
  readonly archiveId?: string | undefined
  readonly broadcastId?: string | undefined
  readonly status?: string | undefined
  readonly stoppedAt?: string | undefined
}

/** Whether a part of a recording or a broadcast runs, by its status when last seen. */
export const isRunning = ({ archiveId, broadcastId, status, stoppedAt }: Part) =>
  (archiveId ?? broadcastId) !== undefined &&
  stoppedAt === undefined &&
  (status === undefined || status === 'started' || status === 'paused' || status === 'live')
