import type { Broadcaster, RtmpLink } from './media.ts'

/** Records the states of the connections to RTMP servers. Late listeners get the current states too. */
export function createRtmpLinks() {
  const links = new Map<string, RtmpLink>()
  const listeners: Parameters<Broadcaster['onRtmp']>[0][] = []
  return {
    set(targetId: string, link: RtmpLink): void {
      links.set(targetId, link)
      for (const listener of listeners) listener(targetId, link)
    },
    listen(listener: Parameters<Broadcaster['onRtmp']>[0]): void {
      listeners.push(listener)
      for (const [targetId, link] of links) listener(targetId, link)
    },
  }
}
