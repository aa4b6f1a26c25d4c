import {
  type CostItem,
  type FunctionUsage,
  type FunctionWork,
  functionsItem,
  storageItem,
  sumOf,
  transitionsItem,
} from './cost-items.ts'

/** Usage of AWS by a show, as its records and executions have it. */
export interface CountedUsage {
  readonly transitions: number
  readonly functions: Readonly<Record<FunctionWork, FunctionUsage>>
  /** Bytes of its recordings and of what was made from them. */
  readonly bytes: number
}

/** Bytes of a gigabyte, as S3 counts them. */
const GIGABYTE = 2 ** 30

/** Prices what was counted of a show, with the items of an estimate. Requests, logs and traces are not counted. */
export function countedCostOf({ transitions, functions, bytes }: CountedUsage) {
  const works = Object.keys(functions) as FunctionWork[]
  const items: CostItem[] = [transitionsItem(transitions), ...works.map((work) => functionsItem(work, functions[work]))]
  return { items, usd: sumOf(items.map(({ usd }) => usd)), storage: storageItem(bytes / GIGABYTE) }
}
