import type { CostAnswer } from '../answers.ts'

/** A row of the table of costs: the item, what was counted of it, and its estimate. */
export interface CostRow {
  readonly item: string
  readonly counted: string
  readonly estimated: string
}

type Item = CostAnswer['estimated']['items'][number]

/** Returns one row for each item of a cost, for the sum, the storage and the minutes on the platform. */
export function costRows({ counted, estimated }: CostAnswer): CostRow[] {
  const find = (item: string) => counted.items.find((one) => one.item === item)
  const { participants } = counted.minutes
  return [
    ...estimated.items.map((one) => ({ item: one.item, counted: priced(find(one.item)), estimated: priced(one) })),
    { item: 'Sum of these', counted: dollars(counted.usd), estimated: dollars(estimated.usd) },
    { item: 'Storage, a month', counted: priced(counted.storage), estimated: priced(estimated.storage) },
    {
      item: 'Recordings on the platform',
      counted: minutes(counted.minutes.recordings),
      estimated: minutes(estimated.minutes.recordings),
    },
    {
      item: 'Broadcasts on the platform',
      counted: minutes(counted.minutes.broadcasts),
      estimated: minutes(estimated.minutes.broadcasts),
    },
    {
      item: 'Participants on the platform',
      counted: participants === undefined ? 'not reported yet' : minutes(participants),
      estimated: 'not estimated',
    },
  ]
}

const priced = (item: Item | undefined) => (item ? `${dollars(item.usd)} (${item.amount})` : 'on the bill only')

const dollars = (usd: number) => `$${usd.toFixed(4)}`

const minutes = (amount: number) => `${amount.toFixed(1)} minutes`
