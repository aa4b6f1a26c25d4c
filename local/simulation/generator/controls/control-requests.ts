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

/** Reads the show, as an app does that disconnects a dial-in. */
async function readConnections({ callApi, clock, showId }: ControlRequestOptions, key: string) {
  const { body } = await repeatRequest(callApi, clock, { method: 'GET', path: `/shows/${showId}`, key })
  return (dialIn: string) => connectionIn(body, dialIn)
}

function connectionIn(show: string, dialIn: string): string | undefined {
  try {
    const { dialIns = [] } = JSON.parse(show) as {
      readonly dialIns?: readonly { readonly name: string; readonly connectionId?: string }[]
    }
    return dialIns.find(({ name }) => name === dialIn)?.connectionId
  } catch {
    return undefined // a corrupt answer
  }
}

/** Posts a control as an app does, with retries under the same key. */
async function post({ control, key }: PlannedControl, parts: Posting): Promise<ControlAnswer> {
  const { clock, callApi, audience, showId, answers } = parts
  const connectionOfDialIn = 'dialIn' in control ? await readConnections(parts, key) : () => undefined
  const askedAt = clock.now()
  const context = { showId, now: askedAt, find: audience.find, clipOf: clipIn(answers), connectionOfDialIn }
  const request = toRequest(control, context)
  const { status, body } = await repeatRequest(callApi, clock, { ...request, key })
  return { control, key, askedAt, answeredAt: clock.now(), status, body }
}
