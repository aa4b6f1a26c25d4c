import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { ShowResult } from '../../lib/show/state/result.ts'
import { postShow, RefusedError } from './environment/app.ts'
import { type ControlAnswer, startAsking } from './generator/control-requests.ts'
import type { Plan } from './generator/plan.ts'
import { destinationsIn } from './generator/secrets.ts'
import { putSecrets, withSession } from './setup.ts'
import type { World } from './world.ts'

export interface Run {
  readonly show: ShowDocument
  readonly plan: Plan | undefined
  readonly seed: number
  /** Seconds that the world goes on after the show's executions have ended. */
  readonly goOn: number
}

/** What came of it, by the records; of a show that recurs, its first. */
export interface Ran {
  /** Undefined for a show that was refused, since something went wrong. */
  readonly showId: string | undefined
  readonly result: ShowResult | undefined
  readonly answers: readonly ControlAnswer[]
}

/**
 * Posts the show, asks of it what is planned, and follows it to its end.
 * @throws RefusedError when it is refused although nothing went wrong
 */
export function runShow(world: World, { show, plan, seed, goOn }: Run): Promise<Ran> {
  const { callApi, clock, audience, resources, until } = world
  const run = async () => {
    await putSecrets(world, plan?.secrets ?? {}, destinationsIn([show, plan?.controls]))
    const posted = await withSession(world, show, plan?.session)
    world.startChaos()
    const showId = await postShow(callApi, { show: posted, key: `seed ${seed}`, clock }).catch(unlessStruck(world))
    if (showId === undefined) {
      await clock.sleep(goOn * 1000)
      return { showId, result: undefined, answers: [] }
    }
    const live = until(() => resources.seen.some(({ kind }) => kind === 'archive' || kind === 'broadcast'))
    const answers = startAsking(plan?.controls ?? [], { clock, callApi, audience, showId, live })
    const isUnscheduled = () =>
      answers.some(({ control, status = 500 }) => control.what === 'unschedule' && status < 300)
    const occurrences = show.start && 'cron' in show.start ? (plan?.occurrences ?? 1) : 1
    const ended = await executionsEnd(world, showId, { occurrences, isUnscheduled })
    if (show.start && 'cron' in show.start && !isUnscheduled()) await unschedule(world, showId)
    if (goOn > 0) await clock.sleep(goOn * 1000)
    await world.cloud.settled()
    if (goOn === 0) await world.platform.sandbox.settled() // else its time has come, and callbacks may be under way
    const result = await world.observer.records.readResult(ended ?? showId)
    return { showId: ended ?? showId, result, answers }
  }
  return world.scheduler.drive(run)
}

const unlessStruck =
  ({ faults }: World) =>
  (error: unknown): undefined => {
    if (!(error instanceof RefusedError) || faults.struck.length === 0) throw error
  }

/** Waits until so many executions of the show have ended, or none will begin any more; the name of the first. */
async function executionsEnd(
  { executions, until }: World,
  showId: string,
  { occurrences, isUnscheduled }: { occurrences: number; isUnscheduled: () => boolean },
): Promise<string | undefined> {
  const nameOf = ({ executionArn }: { executionArn: string }) => executionArn.split(':').at(-1) ?? ''
  // The ones that the sweep starts go on with another show's.
  const isOf = (one: { executionArn: string; machine: string }) =>
    one.machine === 'show' && nameOf(one).startsWith(showId) && !/-close-\d+$/.test(nameOf(one))
  await until(() => {
    const begun = executions.all.filter(isOf).length
    return (begun >= occurrences || isUnscheduled()) && !executions.running.some(isOf)
  })
  const first = executions.all.find(isOf)
  return first && nameOf(first)
}

/** Ends a show that recurs, whatever goes wrong on the way. */
async function unschedule({ callApi, clock }: World, showId: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const request = { method: 'DELETE', path: `/shows/${showId}`, key: 'unschedule' }
    const answer = await callApi(request).catch(() => undefined)
    if (answer && answer.status < 500 && answer.status !== 429) return
    await clock.sleep(TRY_AGAIN)
  }
}

const TRIES = 200
const TRY_AGAIN = 10_000 // ms
