import type { Clock } from '../../../../lib/clock.ts'
import type { CallApi } from '../../environment/app/event-app.ts'
import { repeatRequest } from '../../environment/app/repeat-request.ts'
import type { Audience } from '../../environment/audience.ts'
import type { PlannedControl } from './controls.ts'
import { toRequest } from './to-request.ts'

export interface ControlRequestOptions {
  readonly clock: Clock
  readonly callApi: CallApi
  readonly audience: Pick<Audience, 'find'>
  readonly showId: string
  /** Resolves when the show is live. */
  readonly live: Promise<unknown>
}

export interface ControlAnswer extends Pick<PlannedControl, 'control' | 'key'> {
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  readonly answeredAt: number
  /** Undefined if no attempt was answered. */
  readonly status: number | undefined
  readonly body: string
}

/** Schedules the planned controls of a posted show. The returned answers grow as they arrive. */
export function startControlRequests(
  controls: readonly PlannedControl[],
  parts: ControlRequestOptions,
): readonly ControlAnswer[] {
  const { clock, live } = parts
  const answers: ControlAnswer[] = []
  const ask = async (planned: PlannedControl) => {
    const posts = Array.from(
      { length: planned.posts },
      () => async () => void answers.push(await post(planned, { ...parts, answers })),
    )
    if (planned.together) return void (await Promise.all(posts.map((act) => act())))
    for (const act of posts) await act()
  }
  const schedule = (planned: PlannedControl) => clock.at(clock.now() + planned.at * 1000, () => void ask(planned))
  for (const planned of controls) if (planned.after === 'posted') schedule(planned)
  void live.then(() => {
    for (const planned of controls) if (planned.after === 'live') schedule(planned)
  })
  return answers
}

interface Posting extends ControlRequestOptions {
  /** Answers to the controls before this one. */
  readonly answers: readonly ControlAnswer[]
}

const clipIn = (answers: readonly ControlAnswer[]) => (key: string) => {
  const created = answers.find((one) => one.key === key && (one.status ?? 500) < 300)
  return created && (JSON.parse(created.body) as { readonly clipId: string }).clipId
}

/** Posts a control as an app does, with retries under the same key. */
async function post({ control, key }: PlannedControl, parts: Posting): Promise<ControlAnswer> {
  const { clock, callApi, audience, showId, answers } = parts
  const askedAt = clock.now()
  const request = toRequest(control, { showId, now: askedAt, find: audience.find, clipOf: clipIn(answers) })
  const { status, body } = await repeatRequest(callApi, clock, { ...request, key })
  return { control, key, askedAt, answeredAt: clock.now(), status, body }
}
