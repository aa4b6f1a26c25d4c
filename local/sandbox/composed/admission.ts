import type { z } from 'zod'
import { startRefusals } from '../../../lib/platform/contract/errors.ts'
import type { layout } from '../../../lib/platform/contract/layouts.ts'
import { Refusal } from '../http/refusal.ts'
import type { StreamChoice } from '../media/media.ts'
import type { Presence } from '../participants/presence.ts'
import type { SessionRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import { refuseUndrawable } from './drawable-layouts.ts'

/**
 * Reads the layout and the stream mode of an archive or a broadcast that is to start. Streams are undefined in the mode
 * `auto`, and none are chosen at first in the mode `manual`.
 * @throws {@link Refusal} 400 for a stylesheet that cannot be drawn
 */
export function readComposition(body: {
  readonly layout?: z.output<typeof layout> | undefined
  readonly streamMode: 'auto' | 'manual'
}): { layout: z.output<typeof layout>; streams: readonly StreamChoice[] | undefined } {
  const { layout: wanted = { type: 'bestFit' }, streamMode } = body
  refuseUndrawable(wanted)
  return { layout: wanted, streams: streamMode === 'manual' ? [] : undefined }
}

/**
 * Returns a session in which an archive or a broadcast may start: known, routed and with a client connected.
 * @throws {@link Refusal} 404 or 409
 */
export function admitSession(
  { store, presence }: { store: Store; presence: Pick<Presence, 'hasClients'> },
  apiKey: string,
  sessionId: string,
): SessionRecord {
  const session = store.sessions.get(sessionId)
  if (session?.projectId !== apiKey) throw new Refusal(404, startRefusals.noSession)
  if (!session.routed) throw new Refusal(409, 'The session is relayed: only a routed one can be recorded or broadcast.')
  if (!presence.hasClients(sessionId)) throw new Refusal(404, startRefusals.noClients)
  return session
}

/**
 * Checks the tag of an archive or a broadcast that is to start. A tag may be in use once per session; without a tag
 * nothing else of the kind may run.
 * @throws {@link Refusal} 409
 */
export function admitTag(
  field: 'multiArchiveTag' | 'multiBroadcastTag',
  tag: string | undefined,
  running: readonly { readonly tag?: string | undefined }[],
): void {
  if (running.length > 0 && !tag)
    throw new Refusal(409, `One is running in this session already: another needs a ${field}.`)
  if (running.some((other) => other.tag === tag && tag))
    throw new Refusal(409, `The ${field} is in use in this session already: choose another.`)
}
