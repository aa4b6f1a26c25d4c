import { z } from 'zod'
import { type OperationName, operations } from '../../../lib/platform/contract/operations/operations.ts'
import type { Ids } from '../state/ids.ts'
import { parse } from './validation.ts'

const ms = z.int().min(0).max(86_400_000)

const fault = z.discriminatedUnion('type', [
  /** The connection is refused: the request has no effect and no answer. */
  z.strictObject({ type: z.literal('refuse') }),
  /** The request is handled only after so long by the clock. */
  z.strictObject({ type: z.literal('delay'), ms }),
  /** The connection is cut before the request has any effect. */
  z.strictObject({ type: z.literal('dropBefore') }),
  /** The request has its effect, and the connection is cut instead of an answer. */
  z.strictObject({ type: z.literal('dropAfter') }),
  /** The request has its effect, and what answers it is not JSON. */
  z.strictObject({ type: z.literal('malformed') }),
  /** The request is answered by this error and has no effect. */
  z.strictObject({ type: z.literal('status'), status: z.int().min(400).max(599) }),
  /** An upload begins only after so long by the clock. */
  z.strictObject({ type: z.literal('slowUpload'), ms }),
  /** An upload fails permanently without reaching its target; the archive then follows its fallback. */
  z.strictObject({ type: z.literal('failUpload') }),
  /** A list does not have what was created within so long before the call. */
  z.strictObject({ type: z.literal('listLag'), ms }),
])

/** Lists that can lag: those in pages, which are newest first. */
const LAGGING: readonly OperationName[] = ['listArchives', 'listBroadcasts', 'listComposers']

const order = z
  .strictObject({
    operation: z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]),
    /** Number of calls or uploads that the fault affects. */
    times: z.int().min(1).max(1_000_000).default(1),
    fault,
  })
  .refine(({ operation, fault: { type } }) => type !== 'listLag' || LAGGING.includes(operation), {
    path: ['operation'],
    message: `must be one of ${LAGGING.join(', ')} for listLag`,
  })

export type Fault = z.output<typeof fault>
export type FaultOrder = z.input<typeof order>
/** An ordered fault; `times` counts the remaining calls or uploads. */
export type OrderedFault = z.output<typeof order> & { readonly id: string }

type UploadFault = Extract<Fault, { type: 'slowUpload' | 'failUpload' }>
type CallFault = Exclude<Fault, UploadFault>

/** Faults that were ordered for the platform's operations and uploads. */
export interface Faults {
  /** Orders a fault and returns its id. @throws {@link Refusal} 400 */
  order(order: FaultOrder): string
  /** Lists the faults with remaining calls or uploads, oldest first. */
  list(): OrderedFault[]
  clear(): void
}

/** Source of the faults that apply. Taking a fault uses it once; of several the oldest is taken. */
export interface FaultSource {
  /** Returns the fault that `take` would use. */
  peek(operation: OperationName): CallFault | undefined
  take(operation: OperationName): CallFault | undefined
  /** Takes a fault for uploads, whichever operation it names. */
  takeForUpload(): UploadFault | undefined
}

export function createFaults(ids: Ids): Faults & FaultSource {
  let ordered: OrderedFault[] = []

  const isFor = (operation: OperationName) => (one: OrderedFault) =>
    one.operation === operation && !isForUploads(one.fault)

  function use<F extends Fault>(isMeant: (one: OrderedFault) => boolean): F | undefined {
    const found = ordered.find(isMeant)
    if (!found) return undefined
    const left = { ...found, times: found.times - 1 }
    ordered = ordered.flatMap((one) => (one !== found ? [one] : left.times > 0 ? [left] : []))
    return found.fault as F
  }

  return {
    order(given) {
      const id = ids.uuid()
      ordered.push({ ...parse(order, given), id })
      return id
    },
    list: () => [...ordered],
    clear() {
      ordered = []
    },
    peek: (operation) => ordered.find(isFor(operation))?.fault as CallFault | undefined,
    take: (operation) => use(isFor(operation)),
    takeForUpload: () => use(({ fault }) => isForUploads(fault)),
  }
}

const isForUploads = ({ type }: Fault) => type === 'slowUpload' || type === 'failUpload'
