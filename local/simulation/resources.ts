import type { Services } from '../../lib/services/services.ts'
import type { Trace } from './trace.ts'

/** Follows the platform's archives and broadcasts by asking it, with calls of its own that no seed delays. */
export interface ResourcesWatch {
  /** Notes every status that has changed since the last look. */
  look(): Promise<void>
}

interface Resource {
  readonly id: string
  readonly status: string
}

export interface ResourcesOptions {
  readonly platform: Services['platform']
  readonly trace: Trace
  readonly onChange: (kind: 'archive' | 'broadcast', status: string) => void
}

export function watchResources({ platform, trace, onChange }: ResourcesOptions): ResourcesWatch {
  const statuses = new Map<string, string>()
  const live = new Set<string>()

  const see = (kind: 'archive' | 'broadcast', { id, status }: Resource, tag: string) => {
    if (statuses.get(id) === status) return
    statuses.set(id, status)
    trace.note(`${kind} ${tag} ${status}`)
    onChange(kind, status)
  }

  return {
    async look() {
      const client = await platform()
      const archives = await Array.fromAsync(client.each.listArchives())
      for (const archive of archives.reverse())
        see('archive', archive, archive.multiArchiveTag ?? archive.name ?? archive.id)

      // Only those in progress are listed: one that is missing has ended.
      const listed = await Array.fromAsync(client.each.listBroadcasts())
      const missing = [...live].filter((id) => !listed.some((broadcast) => broadcast.id === id))
      const ended = await Promise.all(missing.map((broadcastId) => client.getBroadcast({ broadcastId })))
      for (const broadcast of [...listed.reverse(), ...ended])
        see('broadcast', broadcast, broadcast.multiBroadcastTag ?? broadcast.id)
      live.clear()
      for (const { id } of listed) live.add(id)
    },
  }
}
