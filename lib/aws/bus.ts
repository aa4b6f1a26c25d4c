import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { ServiceError } from '../tasks/errors.ts'

/** Puts events of one source on one bus. */
export interface Bus {
  /** @throws ServiceError when the bus did not take it */
  put(detailType: string, detail: object): Promise<void>
}

export function createBus(bridge: EventBridgeClient, bus: string, source: string): Bus {
  return {
    async put(detailType, detail) {
      const entry = { EventBusName: bus, Source: source, DetailType: detailType, Detail: JSON.stringify(detail) }
      const failed = (reason: string | undefined, cause?: unknown) =>
        new ServiceError(`The bus ${bus} did not take the event ${detailType} (${reason}).`, { cause })
      const answer = await bridge.send(new PutEventsCommand({ Entries: [entry] })).catch((cause: Error) => {
        throw failed(`${cause.name}: ${cause.message}`, cause)
      })
      const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode)
      if (refused) throw failed(refused.ErrorCode)
    },
  }
}
