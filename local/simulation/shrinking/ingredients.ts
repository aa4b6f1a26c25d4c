import type { ShowDocument } from '../../../lib/show/document/show.ts'
import type { Chaos } from '../chaos/chaos.ts'
import type { Scenario } from '../runner/trial.ts'
import { type RecordedFault, repeatFaults } from './recorded-faults.ts'

/** One thing of a scenario that could be left out. */
export interface Ingredient {
  /** In one line, as a person is told of it. */
  readonly words: string
  leaveOut(scenario: PlainScenario): PlainScenario
}

/** A scenario as data. */
export interface PlainScenario extends Pick<Scenario, 'show' | 'plan' | 'chaos'> {
  readonly faults: readonly RecordedFault[]
}

export const toScenario = ({ faults, ...scenario }: PlainScenario): Scenario => ({
  ...scenario,
  decide: repeatFaults(faults),
})

/** Everything that can be left out: first what goes wrong, then what people do, then what the show asks for. */
export const ingredientsOf = (scenario: PlainScenario): Ingredient[] => [
  ...scenario.faults.map((one) => faultIngredient(one)),
  ...chaosIngredients(scenario.chaos ?? {}),
  ...planIngredients(scenario),
  ...showIngredients(scenario.show),
]

const faultIngredient = (left: RecordedFault): Ingredient => ({
  words: `${left.caller} -> ${left.operation}, call ${left.occurrence}: ${left.fault.kind}`,
  leaveOut: (scenario) => ({ ...scenario, faults: scenario.faults.filter((one) => one !== left) }),
})

/** Each entry of a list by itself, each other part as a whole. */
function chaosIngredients(chaos: Chaos): Ingredient[] {
  const fields = Object.entries(chaos) as [keyof Chaos, unknown][]
  return fields.flatMap(([field, value]) => {
    const change = (next: unknown) => (scenario: PlainScenario) => ({
      ...scenario,
      chaos: { ...scenario.chaos, [field]: next } as Chaos,
    })
    if (!Array.isArray(value))
      return value ? [{ words: `${field} ${JSON.stringify(value)}`, leaveOut: without(field) }] : []
    return value.map((left) => ({
      words: `${field} ${JSON.stringify(left)}`,
      leaveOut: (scenario) => {
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

function planIngredients({ plan }: PlainScenario): Ingredient[] {
  if (!plan) return []
  return (['controls', 'appOutages', 'guests'] as const).flatMap((field) =>
    plan[field].map((left: unknown) => ({
      words: `${field} ${JSON.stringify(left)}`,
      leaveOut: (scenario: PlainScenario) => {
        if (!scenario.plan) return scenario
        const list: readonly unknown[] = scenario.plan[field]
        return { ...scenario, plan: { ...scenario.plan, [field]: list.filter((one) => one !== left) } }
      },
    })),
  )
}

const LISTS = ['scenes', 'dialIns', 'broadcasts'] as const
const FIELDS = [
  'start',
  'session',
  'announcements',
  'publish',
  'callback',
  'labels',
  'audienceWait',
  'uploadWait',
] as const

/** All but what a show must have: its first recording among it. */
function showIngredients(show: ShowDocument): Ingredient[] {
  const filter = (field: (typeof LISTS)[number] | 'recordings', left: unknown) => (scenario: PlainScenario) => {
    const list: readonly unknown[] = scenario.show[field] ?? []
    return { ...scenario, show: { ...scenario.show, [field]: list.filter((one) => one !== left) } as ShowDocument }
  }
  const entries = [
    ...LISTS.map((field) => [field, show[field] ?? []] as const),
    ['recordings', show.recordings.slice(1)] as const,
  ]
  return [
    ...entries.flatMap(([field, list]) =>
      list.map((one) => ({ words: `${field} ${JSON.stringify(one)}`, leaveOut: filter(field, one) })),
    ),
    ...FIELDS.filter((field) => show[field] !== undefined).map((field) => ({
      words: `${field} ${JSON.stringify(show[field])}`,
      leaveOut: (scenario: PlainScenario) => {
        const { [field]: _, ...others } = scenario.show
        return { ...scenario, show: others as ShowDocument }
      },
    })),
  ]
}
