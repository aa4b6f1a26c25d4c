import { prices } from './prices.ts'

/** An item of a show's cost in US dollars, with what it consists of. */
export interface CostItem {
  readonly item: string
  readonly amount: string
  readonly usd: number
}

/** Invocations of functions, and their time multiplied by their memory. */
export interface FunctionUsage {
  readonly invocations: number
  readonly gigabyteSeconds: number
}

const functionItems = {
  running: 'Lambda, running',
  renditions: 'Lambda, renditions',
  publishing: 'Lambda, the rest of publishing',
} as const

/** Work of a show whose functions are priced together. */
export type FunctionWork = keyof typeof functionItems

/** Prices an amount of a unit. */
export const itemOf = (item: string, amount: number, unit: string, price: number): CostItem => ({
  item,
  amount: `${rounded(amount)} ${unit}`,
  usd: amount * price,
})

/** Prices state transitions. */
export const transitionsItem = (transitions: number): CostItem =>
  itemOf('Step Functions', transitions, 'transitions', prices.transition)

/** Prices the functions of one kind of work. */
export const functionsItem = (work: FunctionWork, { invocations, gigabyteSeconds }: FunctionUsage): CostItem => ({
  item: functionItems[work],
  amount: `${rounded(invocations)} invocations, ${rounded(gigabyteSeconds)} GB-s`,
  usd: invocations * prices.invocation + gigabyteSeconds * prices.gigabyteSecond,
})

/** Prices the storage of a month. */
export const storageItem = (gigabytes: number): CostItem => ({
  item: 'Storage',
  amount: inGigabytes(gigabytes),
  usd: gigabytes * prices.storedGigabyteMonth,
})

export const inGigabytes = (amount: number) => `${amount.toFixed(1)} GB`

export const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)

const rounded = (amount: number) => Math.round(amount).toLocaleString('en-US')
