import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Chaos } from '../chaos/chaos.ts'
import type { Scenario } from '../runner/trial.ts'
import { type RecordedFault, repeatFaults } from './recorded-faults.ts'

export interface ScenarioElement {
  /** One line that describes the element. */
  readonly words: string
  removeFrom(scenario: PlainScenario): PlainScenario
}

export interface PlainScenario extends Pick<Scenario, 'show' | 'plan' | 'chaos'> {
  readonly faults: readonly RecordedFault[]
}

export const toScenario = ({ faults, ...scenario }: PlainScenario): Scenario => ({
  ...scenario,
  decide: repeatFaults(faults),
})

/** Returns everything that can be removed: faults and chaos, then the plan, then fields of the show. */
export const elementsOf = (scenario: PlainScenario): ScenarioElement[] => [
  ...scenario.faults.map((one) => faultElement(one)),
  ...chaosElements(scenario.chaos ?? {}),
  ...planElements(scenario),
  ...showElements(scenario.show),
]

const faultElement = (left: RecordedFault): ScenarioElement => ({
  words: `${left.caller} -> ${left.operation}, call ${left.occurrence}: ${left.fault.kind}`,
  removeFrom: (scenario) => ({ ...scenario, faults: scenario.faults.filter((one) => one !== left) }),
})

/** Returns each entry of a list, and each other field as a whole. */
function chaosElements(chaos: Chaos): ScenarioElement[] {
  const fields = Object.entries(chaos) as [keyof Chaos, unknown][]
  return fields.flatMap(([field, value]) => {
    const change = (next: unknown) => (scenario: PlainScenario) => ({
      ...scenario,
      chaos: { ...scenario.chaos, [field]: next } as Chaos,
    })
    if (!Array.isArray(value))
      return value ? [{ words: `${field} ${JSON.stringify(value)}`, removeFrom: without(field) }] : []
    return value.map((left) => ({
      words: `${field} ${JSON.stringify(left)}`,
      removeFrom: (scenario) => {
        const list = (scenario.chaos?.[field] ?? []) as readonly unknown[]
        return change(list.filter((one) => one !== left))(scenario)
      },
    }))
  })
}

const without =
  (field: keyof Chaos) =>
  ({ chaos, ...scenario }: PlainScenario): PlainScenario => {
    const { [field]: _, ...others } = chaos ?? {}
    return { ...scenario, chaos: others }
  }

function planElements({ plan }: PlainScenario): ScenarioElement[] {
  if (!plan) return []
  const { companion } = plan
  const second = companion && {
    words: `a second show in the session after ${companion.at} s`,
    removeFrom(scenario: PlainScenario) {
      const { companion: _, ...others } = scenario.plan ?? plan
      return { ...scenario, plan: others }
    },
  }
  const edits = plan.edits && {
    words: `edits ${JSON.stringify(plan.edits)}`,
    removeFrom(scenario: PlainScenario) {
      const { edits: _, ...others } = scenario.plan ?? plan
      return { ...scenario, plan: others }
    },
  }
  const deployment = plan.deployment && {
    words: `deployment ${JSON.stringify(plan.deployment)}`,
    removeFrom(scenario: PlainScenario) {
      const { deployment: _, ...others } = scenario.plan ?? plan
      return { ...scenario, plan: others }
    },
  }
  const entries = (['controls', 'appOutages', 'participants', 'others'] as const).flatMap((field) =>
    (plan[field] ?? []).map((left: unknown) => ({
      words: `${field} ${JSON.stringify(left)}`,
      removeFrom: (scenario: PlainScenario) => {
        if (!scenario.plan) return scenario
        const list: readonly unknown[] = scenario.plan[field] ?? []
        return { ...scenario, plan: { ...scenario.plan, [field]: list.filter((one) => one !== left) } }
      },
    })),
  )
  return [second, edits, deployment, ...entries].filter((element) => element !== undefined)
}

const LISTS = ['cues', 'scenes', 'dialIns', 'broadcasts'] as const
const FIELDS = [
  'start',
  'session',
  'announcements',
  'publish',
  'page',
  'callback',
  'labels',
  'audienceWait',
  'uploadWait',
] as const

/** Returns all fields that a show does not require. Its first recording is required. */
function showElements(show: ShowDocument): ScenarioElement[] {
  const filter = (field: (typeof LISTS)[number] | 'recordings', left: unknown) => (scenario: PlainScenario) => {
    const list: readonly unknown[] = scenario.show[field] ?? []
    const show = { ...scenario.show, [field]: list.filter((one) => one !== left) } as ShowDocument
    return { ...scenario, show: withoutLostCues(show) }
  }
  const entries = [
    ...LISTS.map((field) => [field, show[field] ?? []] as const),
    ['recordings', show.recordings.slice(1)] as const,
  ]
  return [
    ...entries.flatMap(([field, list]) =>
      list.map((one) => ({ words: `${field} ${JSON.stringify(one)}`, removeFrom: filter(field, one) })),
    ),
    ...FIELDS.filter((field) => show[field] !== undefined).map((field) => ({
      words: `${field} ${JSON.stringify(show[field])}`,
      removeFrom: (scenario: PlainScenario) => {
        const { [field]: _, ...others } = scenario.show
        return { ...scenario, show: others as ShowDocument }
      },
    })),
  ]
}

/** Removes cues whose recording or broadcast is removed. */
function withoutLostCues({ cues, ...show }: ShowDocument): ShowDocument {
  const isThere = (list: readonly { readonly name: string }[] = [], name: string | undefined) =>
    name === undefined || list.some((one) => one.name === name)
  const left = cues?.filter((cue) => isThere(show.recordings, cue.recording) && isThere(show.broadcasts, cue.broadcast))
  return left ? { ...show, cues: left } : show
}
