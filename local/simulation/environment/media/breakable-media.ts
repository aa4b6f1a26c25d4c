import type { Broadcaster, Media, RecordedFile, Recorder } from '../../../sandbox/media/media.ts'

/** Makes running archives and broadcasts fail by their ids. Each method returns false if there is none. */
export interface Breaking {
  archive(id: string): boolean
  broadcast(id: string): boolean
  rtmpTarget(broadcastId: string, targetId: string): boolean
  /** Interrupts or renews the connection of an output. */
  rtmpLink(broadcastId: string, targetId: string, link: 'connecting' | 'live'): boolean
}

type OnFailure = (error: Error) => void
type OnRtmp = Parameters<Broadcaster['onRtmp']>[0]

/**
 * Wraps media so that its encoders and connections can be made to fail.
 * @param onFile called with each archive’s file; returns the one to upload. @default the same
 */
export function createBreakableMedia(
  media: Media,
  onFile: (id: string, file: RecordedFile) => RecordedFile = (_id, file) => file,
): { media: Media; breaking: Breaking } {
  const archives = new Map<string, OnFailure>()
  const broadcasts = new Map<string, OnFailure>()
  const links = new Map<string, OnRtmp>()

  const fail = (listeners: Map<string, OnFailure>, id: string) => {
    const listener = listeners.get(id)
    listeners.delete(id)
    listener?.(new Error('The simulation stopped the encoder.'))
    return listener !== undefined
  }
  const move = (broadcastId: string, targetId: string, link: 'connecting' | 'live' | 'offline') => {
    const listener = links.get(broadcastId)
    listener?.(targetId, link)
    return listener !== undefined
  }
  const breakable = (id: string, recorder: Recorder): Recorder => ({
    ...recorder,
    onFailure(listener) {
      archives.set(id, listener)
      recorder.onFailure(listener)
    },
    async finish() {
      archives.delete(id)
      const file = await recorder.finish()
      return onFile(id, file)
    },
  })

  return {
    media: {
      ...media,
      startArchive: async (spec) => breakable(spec.id, await media.startArchive(spec)),
      startIndividualArchive: async (spec) => breakable(spec.id, await media.startIndividualArchive(spec)),
      async startBroadcast(spec) {
        const broadcaster = await media.startBroadcast(spec)
        return {
          ...broadcaster,
          onFailure(listener) {
            broadcasts.set(spec.id, listener)
            broadcaster.onFailure(listener)
          },
          onRtmp(listener) {
            links.set(spec.id, listener)
            broadcaster.onRtmp(listener)
          },
          stop() {
            broadcasts.delete(spec.id)
            links.delete(spec.id)
            return broadcaster.stop()
          },
        }
      },
    },
    breaking: {
      archive: (id) => fail(archives, id),
      broadcast: (id) => fail(broadcasts, id),
      rtmpTarget: (broadcastId, targetId) => move(broadcastId, targetId, 'offline'),
      rtmpLink: move,
    },
  }
}
