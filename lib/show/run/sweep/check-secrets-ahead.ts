import type { Services } from '../../../services.ts'
import type { Show } from '../../document/show.ts'
import { instantOf } from '../../document/starts/local-times.ts'
import type { ShowRequest } from '../../state/request.ts'
import type { ShowState } from '../../state/state.ts'
import type { TimelineEvent } from '../../state/timeline-events.ts'
import { findSecretProblems } from '../start/check-secrets.ts'

/** Milliseconds before its start in which the secrets of a show are checked. Those of a recurring show are checked as often. */
const AHEAD = 3_600_000

type Checking = Pick<Services, 'shows' | 'showSecrets' | 'clock'>

/**
 * Checks the secrets of a scheduled show an hour before it starts, and notifies its owner of each that became unusable. They were
 * usable when the show was posted.
 * @throws {@link ServiceError} when Secrets Manager fails; the next sweep tries again
 */
export async function checkSecretsAhead(services: Checking, { showId, acceptedAt, show }: ShowRequest): Promise<void> {
  const { shows, clock } = services
  const now = clock.now()
  const { secretsCheckedAt = acceptedAt, status } = await shows.state(showId)
  if (status !== 'scheduled' || now < dueAt(show, Date.parse(secretsCheckedAt))) return
  const problems = await findSecretProblems(services, show)
  const state = await shows.state(showId)
  const fresh = problems.filter(({ reference }) => !state.invalidSecrets?.includes(reference.secret))
  await shows.update(
    showId,
    (latest) => ({
      ...latest,
      secretsCheckedAt: new Date(now).toISOString(),
      invalidSecrets: [...new Set(problems.map(({ reference }) => reference.secret))],
    }),
    ...fresh.map(({ path, reference, message }) => eventOf(state, { path, id: reference.secret, detail: message })),
  )
}

/** Returns when the secrets are to be checked next, in milliseconds. */
function dueAt({ start }: Show, checkedAt: number): number {
  if (!start) return Number.POSITIVE_INFINITY
  if ('cron' in start) return checkedAt + AHEAD
  const due = (instantOf(start.at, start.zone) ?? Number.POSITIVE_INFINITY) - AHEAD
  return checkedAt >= due ? Number.POSITIVE_INFINITY : due
}

function eventOf(
  { timeline }: ShowState,
  { path, id, detail }: { path: string; id: string; detail: string },
): TimelineEvent {
  const earlier = timeline.filter((entry) => entry.what === 'secret.invalid' && entry.name === path && entry.id === id)
  const occurrence = earlier.length + 1
  return { what: 'secret.invalid', name: path, id, ...(occurrence > 1 && { occurrence }), detail }
}
