import type { CallbackKind, SentCallback } from '../../../lib/platform/contract/callbacks.ts'

/**
 * Function that announces an event of a resource in the form of its callback. It is called while records change, so it only
 * takes note, and acts later.
 */
export type Announce = <Kind extends CallbackKind>(kind: Kind, body: SentCallback<Kind>) => void
