import type { ShowState } from '../../../../lib/show/state/state.ts'
import type { Evidence } from '../evidence.ts'

const STATE = /^shows\/([^/]+)\/state\.json$/

/** Checks that a part keeps the archive or the broadcast that its show has noted: another one with its tag is a stray. */
export function steadyParts({ versions }: Pick<Evidence, 'versions'>): string[] {
  const noted = new Map<string, string>()
  const problems: string[] = []
  for (const { key, text } of versions) {
    const [, showId] = STATE.exec(key) ?? []
    if (showId === undefined || text === '') continue
    for (const [part, id] of idsIn(JSON.parse(text) as ShowState)) {
      const before = noted.get(`${showId} ${part}`)
      if (before !== undefined && before !== id)
        problems.push(`${part} of the show ${showId.slice(0, 12)} is ${id}, and was ${before}`)
      noted.set(`${showId} ${part}`, id)
    }
  }
  return problems
}

const idsIn = ({ recordings = [], broadcasts = [] }: ShowState): (readonly [part: string, id: string])[] => [
  ...recordings.flatMap(({ name, part, archiveId }) =>
    archiveId === undefined ? [] : [[`the recording ${name}/${part}`, archiveId] as const],
  ),
  ...broadcasts.flatMap(({ name, part, broadcastId }) =>
    broadcastId === undefined ? [] : [[`the broadcast ${name}/${part}`, broadcastId] as const],
  ),
]
