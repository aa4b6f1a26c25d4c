import type { Control } from '../../lib/client/documents.ts'
import { oneLine } from '../operations/terminal-text.ts'
import { localTimesIn } from '../terminal/local-time.ts'

/** Describes a control that the API has carried out, or carries out while the show runs. */
export function controlLines({ showId, timeline }: Control, done: string): string[] {
  if (timeline.length === 0)
    return [`Accepted. It is carried out within a minute; \`show ${showId}\` prints the outcome.`]
  const details = timeline.flatMap(({ detail }) => (detail ? `✔ ${localTimesIn(oneLine(detail))}` : []))
  return details.length > 0 ? details : [`✔ ${done}`]
}
