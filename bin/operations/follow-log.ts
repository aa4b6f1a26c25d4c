import { realClock } from '../../lib/clock.ts'
import { tailFunctionLog } from '../local/function-log.ts'
import { labelOf } from '../shows/outcome.ts'
import type { ShowApi } from '../shows/show-api.ts'
import { hasColors } from '../terminal/colors.ts'
import { localClock, localTimesIn } from '../terminal/local-time.ts'
import { linesOfShow } from './lines-of-show.ts'
import { entriesOf, entryLine, type LogLevel, selectEntries } from './log-entries.ts'
import { oneLine } from './terminal-text.ts'

interface FollowOptions {
  readonly showId: string
  readonly shows: Pick<ShowApi['shows'], 'get'>
  /** State directory of the running `npm start`; without it only the timeline is followed. */
  readonly directory: string | undefined
  readonly choice: { readonly level: LogLevel; readonly reads: boolean }
  readonly json: boolean
  readonly signal: AbortSignal
  readonly stream: NodeJS.WriteStream
}

const INTERVAL_MS = 1_000

/**
 * Writes the timeline of a show and the log lines about it as they are added. Returns once the show has ended.
 * @throws Error when the show cannot be read, or `signal` aborts
 */
export async function followShowLog(options: FollowOptions): Promise<void> {
  const { showId, shows, directory, choice, json, signal, stream } = options
  const tail = directory === undefined ? undefined : tailFunctionLog(directory)
  const isColored = hasColors(stream)
  for (let seen = 0; ; await realClock.sleep(INTERVAL_MS, signal)) {
    const { timeline, result } = await shows.get(showId, { signal })
    const lines = tail ? linesOfShow(showId, await tail.next()) : []
    const events = timeline.slice(seen)
    seen = timeline.length
    const written = json
      ? [
          ...events.map((event) => ({ at: event.at, text: JSON.stringify({ event }) })),
          ...lines.map((line) => ({ at: line.at, text: JSON.stringify({ line }) })),
        ]
      : [
          ...events.map(({ at, what, detail = '', ...event }) => ({
            at,
            text: `${localClock(at)}  ● ${[what, labelOf(event), localTimesIn(oneLine(detail))].filter(Boolean).join('  ')}`,
          })),
          ...selectEntries(entriesOf(lines), choice).map((entry) => ({
            at: entry.at,
            text: entryLine({ ...entry, text: `${entry.task}: ${entry.text}` }, isColored),
          })),
        ]
    const inOrder = written.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    for (const { text } of inOrder) stream.write(`${text}\n`)
    if (result) return
  }
}
