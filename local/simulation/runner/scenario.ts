import { maxSecondsOf } from '../../../lib/show/document/duration.ts'
import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Chaos } from '../chaos/chaos.ts'
import { drawChaos } from '../chaos/draw-chaos.ts'
import { casesOfSeed } from '../documents/cases.ts'
import { aimFaults } from '../faults/aimed-faults.ts'
import { createRandomFaults, drawOutages } from '../faults/random-faults.ts'
import { decideSiteFaults } from '../faults/site-faults.ts'
import { randomBreak } from '../generator/breaks.ts'
import { randomWaitingClip } from '../generator/controls/clips.ts'
import { LOST_START, randomInterruptedStart, randomLateStart } from '../generator/controls/interrupted-starts.ts'
import { drawCredentialChaos } from '../generator/credential-chaos.ts'
import { drawDeployment } from '../generator/deployments.ts'
import { createDraws } from '../generator/draws.ts'
import { randomEdits } from '../generator/edits/edits.ts'
import { randomPlan } from '../generator/plan.ts'
import { failuresAfterClips, interruptedOutputs, randomResourceFailures } from '../generator/resource-failures.ts'
import { withPlayedTones } from '../generator/scenes-and-dial-ins.ts'
import { randomShow } from '../generator/show.ts'
import { randomSeedsBefore, situationOf } from '../generator/situations/situations.ts'
import { randomStartAcrossChange } from '../generator/start-times.ts'
import { drawAims, drawFunctionAims, drawMissedStarts, drawToneFailures } from '../generator/strikes/aims.ts'
import { exhaustTasks } from '../generator/strikes/exhausted-tasks.ts'
import { drawRareStrikes, FEW, MANY, readSites, strikeRareSites } from '../generator/strikes/rare-sites.ts'
import { createRandom } from '../scheduling/random.ts'
import { BEGINNING } from '../world.ts'
import { EXTRA_SECONDS, type Scenario } from './trial.ts'

/** Shares of calls that fail outside outages. Some shows have none. */
const RATES = [0, 0.002, 0.01, 0.03] as const
/** Upper bound of faults of one show, so that it can succeed. */
const MAX_FAULTS = 60
/** Numbers of faults at rare sites, of which each seed has one. */
const STEERED = [0, FEW, FEW, MANY] as const
/** Share of seeds with a schedule across a change of clocks. */
const CLOCK_CHANGES = 0.06
/** Days after a show in which Insights report its usage and that of its last day: 48 hours after them. */
const USAGE_DAYS = 3.2

export function scenarioOf(seed: number): Scenario {
  const random = createDraws(createRandom(seed, 'change of clocks'))
  const show = randomShow(createRandom(seed, 'show'), BEGINNING)
  const situation = situationOf(seed, createDraws(createRandom(seed, 'situation')), BEGINNING)
  if (situation) {
    const { aims, chaos } = situation
    const plan = { ...situation.plan, documents: casesOfSeed(seed) }
    return {
      show: situation.show,
      plan,
      chaos,
      ...extraSecondsFor(chaos),
      beginning: BEGINNING,
      decide: aimFaults(aims),
    }
  }
  if (!random.chance(CLOCK_CHANGES)) return withDeployment(scenarioAround(show, seed), seed)
  const { start, beginning } = randomStartAcrossChange(random)
  return withDeployment(scenarioAround({ ...show, start }, seed, beginning), seed)
}

/** Adds the deployment of the stack, whose faults end before those of the show begin. */
function withDeployment(scenario: Scenario, seed: number): Scenario {
  const deployment = drawDeployment(createRandom(seed, 'deployment'))
  const { beginning = BEGINNING, decide, plan } = scenario
  if (!deployment || !plan) return scenario
  const decideBefore = decideSiteFaults(deployment.faults)
  return {
    ...scenario,
    plan: { ...plan, deployment },
    decide: (call) => (call.now < beginning ? decideBefore(call) : decide?.(call)),
  }
}

export function scenarioAround(show: ShowDocument, seed: number, beginning = BEGINNING): Scenario {
  const random = (purpose: string) => createRandom(seed, purpose)
  const draws = createDraws(random('what goes wrong'))
  const { oneOf, chance, between } = draws
  // Half of all faults happen around the start, where most is done.
  const longest = maxSecondsOf(show)
  const within = chance(0.5) ? longest : Math.min(longest, between(60, 1_200))
  const outages = drawOutages(random('outages'), { within, max: 2 })
  const faults = { random: random('faults'), rate: oneOf(RATES), outages, beginning, maxFaults: MAX_FAULTS }
  const interrupted = randomInterruptedStart(createDraws(random('interrupted start')))
  const late = randomLateStart(createDraws(random('late start')), show)
  const documents = casesOfSeed(seed)
  const plan = { ...randomPlan(random('people'), show, beginning), documents }
  const waitingClip = randomWaitingClip(createDraws(random('waiting clip')), show)
  const shown = withPlayedTones(createDraws(random('played tones')), waitingClip?.show ?? show)
  const toneFailures = drawToneFailures(random('failing tones'), shown)
  const aims = [
    ...(interrupted ? [interrupted.aim] : []),
    ...(late ? [late.aim] : []),
    ...(plan.repostAfter === undefined ? [] : [LOST_START]),
    ...drawMissedStarts(random('missed starts'), show),
    ...drawAims(random('aimed faults'), show),
    ...drawFunctionAims(random('aimed invocations')),
    ...exhaustTasks(randomSeedsBefore(seed)),
    ...toneFailures,
  ]
  const [decideAimed, decideRandom] = [aimFaults(aims), createRandomFaults(faults)]
  const rare = random('rare sites')
  const decideRare = strikeRareSites(drawRareStrikes(rare, readSites(), createDraws(rare).oneOf(STEERED)))
  const exhausted = createDraws(random('exhausted concurrency'))
  if (exhausted.chance(0.1))
    outages.push({
      at: exhausted.between(0, within),
      seconds: exhausted.logUniform(1, 600),
      of: 'lambda',
      kind: 'throttled',
    })
  const edits = randomEdits(createDraws(random('edits')))
  const withBreak = randomBreak(createDraws(random('break')), show)
  if (withBreak) {
    const { aims: failures, ...calm } = withBreak
    return {
      ...calm,
      plan: { ...calm.plan, documents, ...(edits && { edits }) },
      beginning,
      decide: aimFaults(failures),
      chaos: {},
    }
  }
  const chaos = drawChaos(random('chaos of the show'), { within })
  const breakages = randomResourceFailures(draws, show)
  const unstableOutputs = interruptedOutputs(createDraws(random('unstable outputs')), show)
  const credentials = drawCredentialChaos(random('credentials'), { within })
  const decideCredentials = decideSiteFaults(credentials.faults)
  const lostClips = failuresAfterClips(createDraws(random('lost clips')), plan)
  return {
    show: shown,
    ...extraSecondsFor(chaos),
    beginning,
    plan: {
      ...plan,
      ...(edits && { edits }),
      controls: [
        ...plan.controls,
        ...(interrupted ? [interrupted.control] : []),
        ...(late?.controls ?? []),
        ...(waitingClip ? [waitingClip.control] : []),
      ],
    },
    decide: (call) => decideCredentials(call) ?? decideAimed(call) ?? decideRare(call) ?? decideRandom(call),
    chaos: {
      ...chaos,
      rotations: [...(chaos.rotations ?? []), ...credentials.rotations],
      ...(credentials.revocations.length > 0 && { revocations: credentials.revocations }),
      failures: [
        ...(chaos.failures ?? []),
        ...(breakages.failures ?? []),
        ...lostClips,
        ...(waitingClip?.failures ?? []),
      ],
      restarts: [...(chaos.restarts ?? []), ...(breakages.restarts ?? [])],
      ...(unstableOutputs.length > 0 && { unstableOutputs }),
      ...(shown.dialIns?.some(({ tones }) => tones) && { callbacks: true }), // which report the answers of callees
    },
  }
}

/** Returns the time after the show in which what is late arrives: usage, and events. */
function extraSecondsFor({ insights, events }: Chaos): Pick<Scenario, 'extraSeconds'> {
  if (insights) return { extraSeconds: USAGE_DAYS * 86_400 }
  return events ? { extraSeconds: events.latest + EXTRA_SECONDS } : {}
}
