import type { Expected } from '../../documents/document-case.ts'

/** An item of the cost. */
interface Item {
  readonly item: string
  readonly amount: string
  readonly usd: number
}

interface Forecast {
  readonly steps: readonly { readonly step: string; readonly details: string }[]
  readonly nextStart?: string
  readonly recordings: readonly { readonly name: string; readonly seconds: number; readonly parts: number }[]
  readonly cost: {
    readonly region: string
    readonly asOf: string
    readonly usd: number
    readonly items: readonly Item[]
    readonly storage: Item
    readonly viewers: Item
  }
}

/** Fields of a document by which its recordings are planned. */
interface PlannedDocument {
  readonly duration?: number | null
  readonly maxDuration?: number
  readonly start?: object
  readonly recordings?: readonly Recording[]
}
interface Recording {
  readonly name: string
  readonly pauses?: readonly { readonly from: number; readonly to: number }[]
}

/** Seconds: the longest archive of the platform, and the default maximum of a show with an open end. */
const LONGEST_PART = 14_400
const OPEN_END = 36_000

/** Steps that every show with a recording has, in their order. */
const STEPS = ['start', 'session', 'audience', 'recording', 'duration', 'uploads', 'publish', 'page', 'events']

/** Returns the problems of the forecast of an accepted document. */
export function problemsOfForecast(document: PlannedDocument, forecast: Forecast, expected: Expected): string[] {
  const { steps, nextStart, recordings } = forecast
  const lines = steps.map(({ step, details }) => `${step}: ${details}`)
  const planned = (document.recordings ?? []).map((one) =>
    planOf(one, document.duration ?? document.maxDuration ?? OPEN_END),
  )
  return [
    ...(JSON.stringify(recordings) === JSON.stringify(planned)
      ? []
      : [`the recordings are planned as ${JSON.stringify(recordings)} instead of ${JSON.stringify(planned)}`]),
    ...problemsOfOrder(steps, planned.length > 0),
    ...(expected.steps ?? []).filter((line) => !lines.includes(line)).map((line) => `has no step “${line}”`),
    ...(expected.noSteps ?? [])
      .filter((word) => lines.includes(word) || steps.some(({ step }) => step === word))
      .map((word) => `has the step “${word}”`),
    ...(expected.nextStart !== undefined && nextStart !== expected.nextStart
      ? [`starts at ${nextStart} instead of ${expected.nextStart}`]
      : []),
    ...(document.start === undefined && nextStart !== undefined ? ['has a next start without a start'] : []),
    ...problemsOfCost(forecast.cost, expected),
  ]
}

/** Returns the seconds of a recording without its pauses, and its fewest parts. */
function planOf({ name, pauses = [] }: Recording, duration: number) {
  const ends = [...pauses.map(({ from }) => from), duration]
  const stretches = ends.map((end, index) => end - (pauses[index - 1]?.to ?? 0))
  return {
    name,
    seconds: stretches.reduce((sum, seconds) => sum + seconds, 0),
    parts: stretches.reduce((sum, seconds) => sum + Math.ceil(seconds / LONGEST_PART), 0),
  }
}

function problemsOfOrder(steps: Forecast['steps'], isRecorded: boolean): string[] {
  const own = [...new Set(steps.map(({ step }) => step).filter((step) => STEPS.includes(step)))]
  const wanted = isRecorded
    ? STEPS
    : STEPS.filter((step) => !['recording', 'uploads', 'publish', 'page'].includes(step))
  return [
    ...(own.join() === wanted.join() ? [] : [`has the steps ${own.join(', ')}`]),
    ...steps.filter(({ details }) => details === '').map(({ step }) => `says nothing of the step ${step}`),
  ]
}

function problemsOfCost(
  { region, asOf, usd, items, storage, viewers }: Forecast['cost'],
  expected: Expected,
): string[] {
  const sum = items.reduce((total, item) => total + item.usd, 0)
  const all = [...items, storage, viewers]
  return [
    ...(region === 'us-east-1' && asOf === '2026-11' ? [] : [`has prices of ${region}, ${asOf}`]),
    ...(Math.abs(sum - usd) < EXACT ? [] : [`costs ${usd}, and its items ${sum}`]),
    ...(expected.usd === undefined || Math.abs(usd - expected.usd) < ROUNDED
      ? []
      : [`costs ${usd} instead of ${expected.usd}`]),
    ...Object.entries(expected.costs ?? {}).flatMap(([name, [amount, price]]) => {
      const found = all.find(({ item }) => item === name)
      return found?.amount === amount && Math.abs(found.usd - price) < EXACT
        ? []
        : [`costs ${found?.amount}, ${found?.usd} for ${name} instead of ${amount}, ${price}`]
    }),
  ]
}

/** US dollars by which sums of exact and of rounded prices may differ. */
const EXACT = 1e-9
const ROUNDED = 0.0005
