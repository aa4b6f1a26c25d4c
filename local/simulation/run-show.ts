import type { OwnerEvent } from '../../lib/events/owner-events.ts'
import type { ShowDocument } from '../../lib/show/document/show.ts'
import type { ShowResult } from '../../lib/show/state/result.ts'
import { deployStack } from './deploying/deploy-stack.ts'
import type { DeploymentPlan } from './deploying/deployment-plan.ts'
import { askDocuments } from './documents/ask-documents.ts'
import { CallbackRefusedError, postShow } from './environment/app/event-app.ts'
import { directNameOf, showIdOf } from './environment/direct-starts.ts'
import { type ControlAnswer, startControlRequests } from './generator/controls/control-requests.ts'
import { requestEdits } from './generator/edits/edit-requests.ts'
import type { LaterShow, Plan } from './generator/plan.ts'
import { destinationsIn, withEverySecret } from './generator/secrets.ts'
import { putAccountSecret, putProjectSecret, putSecrets, replaceShowSecrets, withSession } from './setup.ts'
import { visitLiveShow } from './visits/visit-everything.ts'
import { scheduleInvitations } from './visits/visit-invitations.ts'
import type { World } from './world.ts'

export interface ShowRunOptions {
  readonly show: ShowDocument
  readonly plan: Plan | undefined
  readonly seed: number
  /** Seconds that the simulation continues after the show’s executions. */
  readonly extraSeconds: number
}

/** The outcome of a show by its records; of the first start of a recurring one. */
export interface ShowRun {
  /** Undefined for a show that was refused under a fault. */
  readonly showId: string | undefined
  readonly result: ShowResult | undefined
  readonly answers: readonly ControlAnswer[]
  /** When its executions ended, in seconds of the simulation: without `extraSeconds`. */
  readonly endedAfter: number
}

/**
 * Posts the show, sends the planned controls, and follows it to its end. Then it asks about the planned documents.
 * @throws RefusedError when it is refused without a fault
 */
export function runShow(world: World, { show, plan, seed, extraSeconds }: ShowRunOptions): Promise<ShowRun> {
  const { callApi, clock, audience, resources, until } = world
  const run = async () => {
    const secrets = plan?.secrets ?? {}
    const whole = withEverySecret(show, secrets)
    const destinations = destinationsIn([show, plan?.controls, plan?.others])
    await prepareStack(world, plan?.deployment)
    await putSecrets(world, whole, destinations)
    const posted = await withSession(world, show, plan?.session)
    world.startChaos()
    const { repostAfter } = plan ?? {}
    const post = { show: posted, key: `seed ${seed}`, clock, repostAfter }
    const showId = plan?.startsDirectly
      ? startDirectly(world, posted, seed)
      : await postShow(callApi, post).catch(unlessFaulty(world))
    if (showId === undefined) {
      const endedAfter = world.trace.seconds()
      await clock.sleep(extraSeconds * 1000)
      return { showId, result: undefined, answers: [], endedAfter }
    }
    scheduleInvitations(world, showId, seed)
    const others = runOthers(world, plan, { session: posted.session, seed })
    others.catch(() => {}) // they are awaited below
    await replaceShowSecrets(world, { before: whole, after: secrets }, destinations)
    const live = until(() => resources.changes.some(({ kind }) => kind === 'archive' || kind === 'broadcast'))
    const answers = startControlRequests(plan?.controls ?? [], { clock, callApi, audience, showId, live })
    void live.then(() => scheduleVisits(world, showId, plan?.visits))
    const isUnscheduled = () =>
      answers.some(({ control, status = 500 }) => control.what === 'unschedule' && status < 300)
    const occurrences = show.start && 'cron' in show.start ? (plan?.occurrences ?? 1) : 1
    const ended = await executionsEnd(world, showId, { occurrences, isUnscheduled })
    if (plan?.surplusStart) await clock.sleep(Math.max(0, plan.surplusStart + SURPLUS_SECONDS * 1000 - clock.now()))
    if (show.start && 'cron' in show.start && !isUnscheduled()) await unschedule(world, showId)
    await others
    const endedAfter = world.trace.seconds()
    const edits = plan?.edits && requestEdits(plan.edits, world)
    edits?.catch(() => {}) // it is awaited below
    if (extraSeconds > 0) {
      await clock.sleep(extraSeconds * 1000)
      await closed(world, ended ?? showId)
    }
    await edits
    await world.cloud.settled()
    if (extraSeconds === 0) await world.platform.sandbox.settled() // otherwise callbacks may be pending
    const result = await world.observer.records.readResult(ended ?? showId)
    return { showId: ended ?? showId, result, answers, endedAfter }
  }
  return world.scheduler.drive(async () => {
    const ran = await run()
    await askDocuments(world, plan?.documents ?? [])
    return ran
  })
}

/** Starts the execution of a show with its document, and returns the id of the show. The id of the first one is the beginning of the others. */
function startDirectly({ cloud, observer }: World, show: ShowDocument, seed: number, number = 1): string {
  const first = directNameOf(seed)
  const name = number === 1 ? first : `${showIdOf(first)}-${number}`
  const stateMachineArn = observer.variable('SHOW_MACHINE')
  cloud.stepFunctions.startExecution({ stateMachineArn, name, input: JSON.stringify({ show }) })
  return showIdOf(name)
}

/** Deploys the stack, unless the world begins with it, and waits for the beginning of the show. */
async function prepareStack(world: World, deployment: DeploymentPlan | undefined): Promise<void> {
  await putAccountSecret(world)
  if (deployment) await deployStack(world, deployment)
  if (!deployment?.project) await putProjectSecret(world)
  if (!deployment) return
  await world.clock.sleep(Math.max(0, world.beginning - world.clock.now()))
}

/** Statuses of a show that the sweep has yet to close. */
const UNFINISHED = ['starting', 'waiting', 'live', 'ending']
/** Milliseconds between two sweeps, and their number after which a show is closed, however often its closings fail. */
const SWEEP = 300_000
const SWEEPS = 30

/** Waits until a show is closed. */
async function closed({ observer, clock }: World, showId: string): Promise<void> {
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const { status = '' } = (await observer.records.readState(showId)) ?? {}
    if (!UNFINISHED.includes(status)) return
    await clock.sleep(SWEEP)
  }
}

function scheduleVisits(world: World, showId: string, visits: Plan['visits'] = []): void {
  const { clock } = world
  for (const at of visits) clock.at(clock.now() + at * 1000, () => void visitLiveShow(world, showId))
}

interface OtherOptions extends Pick<ShowDocument, 'session'> {
  readonly seed: number
}

/** Runs the second show of the session, and those of other sessions. Resolves when their executions have ended. */
async function runOthers(world: World, plan: Plan | undefined, { session, seed }: OtherOptions): Promise<void> {
  const { companion, others = [], startsDirectly } = plan ?? {}
  const which = { seed, startsDirectly }
  await Promise.all([
    companion &&
      runLater(world, { ...companion, show: { ...companion.show, session } as ShowDocument }, { ...which, number: 2 }),
    ...others.map((one, index) => runLater(world, one, { seed, number: index + 3 })),
  ])
}

interface LaterOptions {
  readonly seed: number
  /** Number of the show, by which its key differs from those of others. */
  readonly number: number
  readonly startsDirectly?: boolean | undefined
}

async function runLater(
  world: World,
  { at, show, stoppedAfter }: LaterShow,
  { seed, number, startsDirectly }: LaterOptions,
): Promise<void> {
  const { callApi, clock } = world
  await clock.sleep(at * 1000)
  const key = `seed ${seed}, show ${number}`
  const showId = startsDirectly
    ? startDirectly(world, show, seed, number)
    : await postShow(callApi, { show, key, clock }).catch(unlessFaulty(world))
  if (showId !== undefined && stoppedAfter !== undefined) {
    await clock.sleep(stoppedAfter * 1000)
    await callApi({ method: 'POST', path: `/shows/${showId}/stop`, key: `${key}, stop` })
  }
  if (showId !== undefined) await executionsEnd(world, showId, { occurrences: 1, isUnscheduled: () => false })
}

const unlessFaulty =
  ({ faults }: World) =>
  (error: unknown): undefined => {
    if (!(error instanceof CallbackRefusedError) || faults.failedCalls.length === 0) throw error
  }

/** Seconds after the time of a surplus start by which it would have been seen. */
const SURPLUS_SECONDS = 120

/** Waits until the show’s executions have ended, or none can start any more. Returns the id of the show of the first. */
async function executionsEnd(
  { events, executions, until }: World,
  showId: string,
  { occurrences, isUnscheduled }: { occurrences: number; isUnscheduled: () => boolean },
): Promise<string | undefined> {
  const nameOf = ({ executionArn }: { executionArn: string }) => showIdOf(executionArn.split(':').at(-1) ?? '')
  // Closing executions, which the sweep starts, carry on another execution’s show.
  const isOf = (one: { executionArn: string; machine: string }) =>
    one.machine === 'show' && nameOf(one).startsWith(showId) && !/-close-\d+$/.test(nameOf(one))
  let seen = -1
  await until(() => {
    // Executions of this show begin and end with events of a history.
    if (seen === executions.historyEvents && !isUnscheduled()) return false
    seen = executions.historyEvents
    const begun = executions.all.filter(isOf).length
    const isOver = isUnscheduled() || (begun === 0 && events.some((one) => isEndOf(showId, one)))
    return (begun >= occurrences || isOver) && !executions.running.some(isOf)
  })
  const first = executions.all.find(isOf)
  return first && nameOf(first)
}

/** Returns true for the event that a show has ended, also if it was never started. */
const isEndOf = (id: string, { detail }: World['events'][number]): boolean => {
  const { event, showId } = detail as OwnerEvent
  return event === 'show.ended' && showId === id
}

/** Unschedules a recurring show, with retries under faults. */
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
