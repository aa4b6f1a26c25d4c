import type { Broadcaster, RtmpLink } from './media.ts'

/** States of the connections to RTMP servers. Late listeners get the current states too. */
export interface RtmpLinks {
  set(targetId: string, link: RtmpLink): void
  readonly listen: Broadcaster['onRtmp']
}

export function createRtmpLinks(): RtmpLinks {
  const links = new Map<string, RtmpLink>()
  const listeners: Parameters<Broadcaster['onRtmp']>[0][] = []
  return {
    set(targetId, link) {
      links.set(targetId, link)
      for (const listener of listeners) listener(targetId, link)
    },
    listen(listener) {
      listeners.push(listener)
      for (const [targetId, link] of links) listener(targetId, link)
    },
  }
}
